import { withoutLabel } from '../../agents/agent.ts'
import { hideKeyFields } from '../../agents/model-settings.ts'
import { agentReach } from '../../agents/registry.ts'
import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { RunDefaults } from '../../schema/run/config.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import { splitCommand } from '../../text/command-words.ts'
import { hideKeys, hideKeysInCommand } from '../../text/hide-keys.ts'
import { isPlainFile } from '../../user-code/read-sources.ts'
import { recordedName } from '../agents/config-agents.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { usualCalls } from '../config/trial-limits.ts'
import { taskGraders, taskPaths } from './config-tasks.ts'

/** What a file of somebody else can take, as messages say it. All but `agent` need the user's word: an agent is only spent on. */
const powerWords = {
  variable: 'sends this environment variable as a key',
  address: 'sends prompts to this address',
  module: 'loads this code into bench',
  program: 'starts this program',
  file: 'reads this file',
  safeguard: 'weakens this safeguard',
  agent: 'asks this agent, which may cost money',
} as const

/** One thing that a file takes. */
export interface Power {
  kind: keyof typeof powerWords
  value: string
  /** Its place: `file:line field`. */
  where: string
  /** Files that it may name, relative to the working folder. */
  files?: readonly string[]
}

/** Whether the user is asked before this is taken. */
export const isAsked = ({ kind }: Power): boolean => kind !== 'agent'

/** Returns what an agent takes, by its name and its settings. `at` is the place of its name, or of a setting. */
export function agentPowers(
  name: string,
  { baseUrl, keyVariable, program, providerOptions }: AgentSetting,
  at: (setting?: keyof AgentSetting) => string,
): Power[] {
  const plain = withoutLabel(name)
  const path = plain.replace(/^[^:]*:?/, '')
  const reach = agentReach(name)
  return [
    ...(reach === 'module' ? [{ ...power('module', path, at()), files: [path] }] : []),
    ...(reach === 'replies'
      ? [{ ...power('file', path, at()), files: path.replace(/^[^@]*@/, '').split(',') }]
      : []),
    ...(reach === 'program' && !program ? [power('program', plain, at())] : []),
    ...(reach === 'model' || reach === undefined ? [power('agent', plain, at())] : []),
    ...[program?.command, program?.resume].flatMap((words) =>
      words ? [programPower(words, at('program'))] : [],
    ),
    ...(baseUrl === undefined ? [] : [power('address', baseUrl, at('baseUrl'))]),
    ...(keyVariable === undefined ? [] : [power('variable', keyVariable, at('keyVariable'))]),
    // A provider's own tools are among them, which reach the network.
    ...(providerOptions
      ? [power('safeguard', JSON.stringify(hideKeyFields(providerOptions)), at('providerOptions'))]
      : []),
  ]
}

/** Returns what a tool takes. `at` is the place of a field of its config. */
export function toolPowers(tool: Tool, at: (field: string) => string): Power[] {
  if (tool.kind === 'workspace') return []
  const { kind, config } = tool
  const files = kind === 'mcp' ? config.files : [config.file ?? []].flat()
  return [
    ...(kind === 'mcp' ? [programPower(config.command, at('command'))] : []),
    ...files.map((file) => filePower(file, at(kind === 'mcp' ? 'files' : 'file'))),
  ]
}

/** A power without files. */
export const power = (kind: Power['kind'], value: string, where: string): Power => ({ kind, value, where })

export const filePower = (file: string, where: string): Power => ({
  ...power('file', file, where),
  files: [file],
})

export const modulePower = (file: string, where: string): Power => ({
  ...power('module', file, where),
  files: [file],
})

export const programPower = (words: readonly string[], where: string): Power => ({
  ...power('program', words.join(' '), where),
  files: words,
})

/** Returns a line for each power: what is done, with what, and its place. Nothing in it looks like a key, whether one is refused or not. */
export const powerLines = (powers: readonly Power[]): string[] => [
  ...new Set(
    powers.map((one) => safeLine(`  ${powerWords[one.kind]}: ${withoutKeys(one)} (${hideKeys(one.where)})`)),
  ),
]

/** The words of a program tell more than their text where a word has spaces. */
const withoutKeys = ({ kind, value, files = [] }: Power): string =>
  hideKeysInCommand(kind === 'program' && files.join(' ') === value ? files : value)

/** Returns what a file takes as text, to follow what is said of the file; empty if it takes nothing. */
export const takenText = (powers: readonly Power[]): string =>
  powerLines(powers)
    .map((line) => `${line}\n`)
    .join('')

/** Returns what a config file takes, used by a run or not. Of its agents those whose labels `has` accepts. */
export function configPowers(
  { config, where }: ConfigFile,
  has: (label: string) => boolean = () => true,
): Power[] {
  const { agents = {}, providers = {}, tools = {}, roles = {}, run = {}, methods = {}, limits } = config
  const { calls = usualCalls } = limits?.trial ?? {}
  const named = (name: string, place: string) =>
    Object.hasOwn(agents, name) ? [] : agentPowers(name, {}, () => place)
  return [
    ...Object.entries(agents).flatMap(([label, agent]) =>
      !has(label)
        ? []
        : agentPowers(recordedName(label, agent), typeof agent === 'string' ? {} : agent, (setting) =>
            where('agents', label, ...(setting ? [setting] : [])),
          ),
    ),
    ...Object.entries(providers).flatMap(([id, { baseUrl, keyVariable }]) => [
      ...(baseUrl === undefined ? [] : [power('address', baseUrl, where('providers', id, 'baseUrl'))]),
      ...(keyVariable === undefined
        ? []
        : [power('variable', keyVariable, where('providers', id, 'keyVariable'))]),
    ]),
    ...Object.entries(tools).flatMap(([id, tool]) =>
      toolPowers(tool, (field) => where('tools', id, 'config', field)),
    ),
    ...Object.entries(roles).flatMap(([role, name]) => named(name, where('roles', role))),
    ...(['agents', 'judges'] as const).flatMap((field) =>
      names(run[field]).flatMap((name) => named(name, where('run', field))),
    ),
    ...Object.entries(methods).flatMap(([label, { strategy, roles = {}, options = {} }]) => [
      ...methodPowers(strategy ?? label, where('methods', label, ...(strategy ? ['strategy'] : []))),
      ...commandPowers(strategy ?? label, options, (option) => where('methods', label, 'options', option)),
      ...Object.entries(roles).flatMap(([role, name]) => named(name, where('methods', label, 'roles', role))),
      ...Object.entries(options).flatMap(([option, value]) =>
        optionPowers(value, where('methods', label, 'options', option)),
      ),
    ]),
    ...splitMethods(names(run.methods).join(',')).flatMap((text) =>
      methodPowers(text, where('run', 'methods')),
    ),
    ...safeguards(run).map(([field, value]) => power('safeguard', `${field}: ${value}`, where('run', field))),
    ...(run.approve?.startsWith('file:') ? [filePower(run.approve.slice(5), where('run', 'approve'))] : []),
    ...taskPaths(run).map((path) => filePower(path, where('run', 'tasks'))),
    ...taskGraders(run).map((path) => programPower([path], where('run', 'tasks'))),
    ...(calls === 'none' || calls > usualCalls
      ? [power('safeguard', `calls: ${calls}`, where('limits', 'trial', 'calls'))]
      : []),
    ...notifyPowers(config.notify, where('notify')),
  ]
}

const names = (given: string | readonly string[] | undefined): string[] =>
  [given ?? []].flat().flatMap((text) => text.split(',').map((name) => name.trim()))

/** Returns what the text of a method takes: the module of its strategy, and files of its options. */
function methodPowers(text: string, where: string): Power[] {
  const read = readMethodText(text)
  if (!read) return []
  const values = splitMethods(read.options).map((pair) => pair.replace(/^[^=]*=/, ''))
  return [
    ...(read.name === applicationMethod && read.document !== undefined
      ? [commandPower(read.document, where)]
      : []),
    ...(isFile(read.name) ? [modulePower(read.name, where)] : []),
    ...values.flatMap((value) => optionPowers(value, where)),
  ]
}

/** The built-in strategy that starts a program of its options. */
const applicationMethod = 'external'

/** Returns what the options of a method take that starts a program: the program, and the folder that it reads. */
function commandPowers(
  strategy: string,
  { command, folder }: Readonly<Record<string, unknown>>,
  where: (option: string) => string,
): Power[] {
  if (readMethodText(strategy)?.name !== applicationMethod) return []
  const words = Array.isArray(command) ? command.map(String) : command
  return [
    ...(Array.isArray(words) || typeof words === 'string' ? [commandPower(words, where('command'))] : []),
    ...(typeof folder === 'string' ? [filePower(folder, where('folder'))] : []),
  ]
}

function commandPower(command: string | readonly string[], where: string): Power {
  const split = typeof command === 'string' ? splitCommand(command) : { words: command }
  return programPower('words' in split ? split.words : [String(command)], where)
}

const optionPowers = (value: unknown, where: string): Power[] =>
  typeof value === 'string' && isPlainFile(value) ? [filePower(value, where)] : []

/** Every permission of a run is named `allow…`, so that a new one is asked for, too. */
const safeguards = (run: RunDefaults): [string, unknown][] =>
  Object.entries(run).filter(
    ([field, value]) =>
      (field.startsWith('allow') && value !== false) ||
      (field === 'sandbox' && value === 'none') ||
      (field === 'approve' && value === 'yes'),
  )

function notifyPowers(target: string | readonly string[] | undefined, where: string): Power[] {
  if (target === undefined) return []
  const text = typeof target === 'string' ? target.trim() : ''
  // The path of an address may be a secret.
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text))
    return [power('address', URL.canParse(text) ? new URL(text).origin : text, where)]
  const split = typeof target === 'string' ? splitCommand(text) : { words: target }
  return [programPower('words' in split ? split.words : [text], where)]
}
