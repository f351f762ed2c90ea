import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import type { RunDefaults } from '../../schema/run/config.ts'
import { isPlainFile } from '../../user-code/read-sources.ts'
import { recordedName } from '../agents/recorded-name.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { usualCalls } from '../config/trial-limits.ts'
import { splitCommand } from '../values/command-words.ts'
import { taskPaths } from './config-tasks.ts'
import { agentPowers, filePower, modulePower, of, type Power, programPower, toolPowers } from './powers.ts'

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
      ...(baseUrl === undefined ? [] : [of('address', baseUrl, where('providers', id, 'baseUrl'))]),
      ...(keyVariable === undefined
        ? []
        : [of('variable', keyVariable, where('providers', id, 'keyVariable'))]),
    ]),
    ...Object.entries(tools).flatMap(([id, tool]) =>
      toolPowers(tool, (field) => where('tools', id, 'config', field)),
    ),
    ...Object.entries(roles).flatMap(([role, name]) => named(name, where('roles', role))),
    ...(['agents', 'judges'] as const).flatMap((field) =>
      names(run[field]).flatMap((name) => named(name, where('run', field))),
    ),
    ...Object.entries(methods).flatMap(([label, { strategy, roles = {}, options = {} }]) => [
      ...methodPowers(strategy ?? label, where('methods', label, 'strategy')),
      ...Object.entries(roles).flatMap(([role, name]) => named(name, where('methods', label, 'roles', role))),
      ...Object.entries(options).flatMap(([option, value]) =>
        optionPowers(value, where('methods', label, 'options', option)),
      ),
    ]),
    ...splitMethods(names(run.methods).join(',')).flatMap((text) =>
      methodPowers(text, where('run', 'methods')),
    ),
    ...safeguards(run).map(([field, value]) => of('safeguard', `${field}: ${value}`, where('run', field))),
    ...(run.approve?.startsWith('file:') ? [filePower(run.approve.slice(5), where('run', 'approve'))] : []),
    ...taskPaths(run).map((path) => filePower(path, where('run', 'tasks'))),
    ...(calls === 'none' || calls > usualCalls
      ? [of('safeguard', `calls: ${calls}`, where('limits', 'trial', 'calls'))]
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
    ...(isFile(read.name) ? [modulePower(read.name, where)] : []),
    ...values.flatMap((value) => optionPowers(value, where)),
  ]
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
    return [of('address', URL.canParse(text) ? new URL(text).origin : text, where)]
  const split = typeof target === 'string' ? splitCommand(text) : { words: target }
  return [programPower('words' in split ? split.words : [text], where)]
}
