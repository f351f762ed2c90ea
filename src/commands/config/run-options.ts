import { defaultRetries, maxRetries } from '../../loop/budget/failures.ts'
import { flagOf, type SettingName, type Settings, settings } from '../../schema/settings/settings.ts'
import type { Problem } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'
import { parseDecimal, parseWholeNumber } from '../values/parse-values.ts'

/** Options of `bench run` as the command line parses them; `config` is false for `--no-config`. */
export type RunOptions = { [Name in Exclude<SettingName, 'noConfig'>]?: OptionValue<Name> } & {
  part?: PartRequest
}

type OptionValue<Name extends SettingName> = Name extends 'config'
  ? string | false
  : Settings[Name]['value'] extends 'switch'
    ? boolean
    : Settings[Name]['value'] extends 'texts'
      ? readonly string[]
      : string

/** A part of a method that runs alone, in place of `--methods`: a state of a workflow, or a stage of a chain. */
export interface PartRequest {
  /** The command, for messages. */
  command: 'bench step' | 'bench stage'
  strategy: 'fanout' | 'chained'
  /** The name of the part, which is the method's label. */
  name: string
  /** Options of the method. A text after `--methods` cannot hold all of them. */
  options: Readonly<Record<string, unknown>>
  /** A free request, in place of a task. */
  request?: TextRequest
}

/** A free request as a text. */
export interface TextRequest {
  id: string
  text: string
  /** The folder to work on, and the paths in it to include although a rule leaves them out. */
  workspace?: string
  include?: readonly string[]
}

/** Returns names of tools as `--tools` takes them. An empty list gives none. */
export const toolsText = (given: string | readonly string[]): string =>
  typeof given === 'string' ? given : given.join(',') || (given.length === 0 ? 'none' : '')

/** Converts a value to the form that it has on the command line. */
export function toOptionText(option: SettingName, value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  if (option === 'tools') return toolsText(value as string | readonly string[])
  return Array.isArray(value) && settings[option].value !== 'texts' ? value.join(',') : value
}

const least = { count: 1, natural: 0, turns: 2 }

/** Reads a whole number. Returns `fallback` without the option, or, with a problem added, for a wrong value. */
export function readWhole(
  problems: Problem[],
  options: RunOptions,
  name: 'sample' | 'seed' | 'epochs' | 'parallel' | 'retries' | 'toolTurns',
  fallback: number,
): number {
  return parseWholeNumber(problems, flagOf(name), options[name], fallback, least[settings[name].value])
}

/** Parses the maximum number of retries of an ask. */
export function parseRetries(problems: Problem[], options: RunOptions): number {
  const retries = readWhole(problems, options, 'retries', defaultRetries)
  if (retries > maxRetries)
    problems.push({
      where: `--retries ${retries}`,
      what: `is more than the maximum of ${maxRetries}`,
      fix: `Write at most ${maxRetries}. After an outage, bench run --resume RUN --retry-errors runs the failed trials again.`,
    })
  return retries
}

/** Parses `--end-blocked`. Returns milliseconds; `none` is Infinity. */
export function parseEndBlocked(problems: Problem[], text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = text === 'none' ? Number.POSITIVE_INFINITY : parseDecimal(text)
  if (seconds >= 0) return 1000 * seconds
  problems.push({
    where: `--end-blocked ${text}`,
    what: 'is not a number of seconds',
    fix: 'Write for example --end-blocked 30, or --end-blocked none.',
  })
  return undefined
}

/** Returns options whose `--agents` has no part `ROLE=AGENT`: these mean the same as `--agent ROLE=AGENT`. */
export function splitRoleAgents({ agents, ...options }: RunOptions, roles: readonly string[]): RunOptions {
  const parts = agents?.split(',') ?? []
  const ofRoles = parts.filter((part) => roles.some((role) => part.trim().startsWith(`${role}=`)))
  if (ofRoles.length === 0) return { ...options, ...(agents !== undefined && { agents }) }
  const others = parts.filter((part) => !ofRoles.includes(part))
  return {
    ...options,
    ...(others.length > 0 && { agents: others.join(',') }),
    agent: [...ofRoles.map((part) => part.trim()), ...(options.agent ?? [])],
  }
}

/** Parses the agent for all roles and the agents for single roles (`ROLE=PROVIDER:MODEL`). Returns agents by role; `*` is all other roles. */
export function parseAgents(
  problems: Problem[],
  all: string | undefined,
  single: readonly string[],
  roles: readonly string[],
): Record<string, string> {
  const agents: Record<string, string> = all === undefined ? {} : { '*': all }
  for (const text of single) {
    const where = `--agent ${text}`
    const at = text.indexOf('=')
    const role = text.slice(0, at).trim()
    if (at < 1 || at === text.length - 1)
      problems.push({ where, what: 'is not ROLE=AGENT', fix: 'Write for example --agent auditor=simulated.' })
    else if (roles.length > 0 && !roles.includes(role)) {
      const what = `no selected method has a role "${role}"`
      problems.push({ where, what, fix: withNear(role, roles, `Roles: ${roles.join(', ')}.`) })
    } else if (Object.hasOwn(agents, role))
      problems.push({ where, what: `gives role "${role}" two agents`, fix: 'Give each role one agent.' })
    else agents[role] = text.slice(at + 1).trim()
  }
  return agents
}
