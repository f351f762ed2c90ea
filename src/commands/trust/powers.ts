import { withoutLabel } from '../../agents/agent.ts'
import { agentReach } from '../../agents/registry.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { Tool } from '../../schema/tool/tool.ts'

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

/** The place of a field in a file. */
export type Where = (...path: PropertyKey[]) => string

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
    ...(reach === 'module' ? [{ ...of('module', path, at()), files: [path] }] : []),
    ...(reach === 'program' && !program ? [of('program', plain, at())] : []),
    ...(reach === 'model' || reach === undefined ? [of('agent', plain, at())] : []),
    ...[program?.command, program?.resume].flatMap((words) =>
      words ? [programPower(words, at('program'))] : [],
    ),
    ...(baseUrl === undefined ? [] : [of('address', baseUrl, at('baseUrl'))]),
    ...(keyVariable === undefined ? [] : [of('variable', keyVariable, at('keyVariable'))]),
    // A provider's own tools are among them, which reach the network.
    ...(providerOptions ? [of('safeguard', JSON.stringify(providerOptions), at('providerOptions'))] : []),
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
export const of = (kind: Power['kind'], value: string, where: string): Power => ({ kind, value, where })

export const filePower = (file: string, where: string): Power => ({
  ...of('file', file, where),
  files: [file],
})

export const modulePower = (file: string, where: string): Power => ({
  ...of('module', file, where),
  files: [file],
})

export const programPower = (words: readonly string[], where: string): Power => ({
  ...of('program', words.join(' '), where),
  files: words,
})

/** Returns a line for each power: what is done, with what, and its place. */
export const powerLines = (powers: readonly Power[]): string[] => [
  ...new Set(powers.map(({ kind, value, where }) => safeLine(`  ${powerWords[kind]}: ${value} (${where})`))),
]

/** Returns what a file takes as text, to follow what is said of the file; empty if it takes nothing. */
export const takenText = (powers: readonly Power[]): string =>
  powerLines(powers)
    .map((line) => `${line}\n`)
    .join('')
