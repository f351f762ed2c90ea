import { defaultRetries, mostRetries } from '../../loop/ask/retry.ts'
import { Limits } from '../../schema/limits.ts'
import type { Problem } from '../../text/errors.ts'
import { parseDecimal, parseWholeNumber } from '../values/parse-values.ts'
import type { RepeatedFlag, RunFlag } from './run-flags.ts'

/** Options of `bench run`, as the command line gives them; `config` is false where the file is not to be read. */
export type RunOptions = { [Flag in RunFlag as OptionName<Flag>]?: OptionValue<Flag> }

/** `--max-cost <usd>` is the option `maxCost`. */
type OptionName<Flag> = Flag extends `--no-${string}`
  ? never
  : Flag extends `--${infer Name} <${string}` | `--${infer Name}`
    ? CamelCase<Name>
    : never

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name

type OptionValue<Flag> = Flag extends RepeatedFlag
  ? readonly string[]
  : Flag extends '--config <file>'
    ? string | false
    : Flag extends `${string} <${string}`
      ? string
      : boolean

/** A value as the command line would hold it. */
export function toOptionText(option: string, value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return Array.isArray(value) && option !== 'inject' && option !== 'include' ? value.join(',') : value
}

/** Most retries of an ask. */
export function parseRetries(problems: Problem[], text: string | undefined): number {
  const retries = parseWholeNumber(problems, '--retries', text, defaultRetries, 0)
  if (retries > mostRetries)
    problems.push({
      where: `--retries ${retries}`,
      what: 'is more than an outage should cost',
      fix: `Write ${mostRetries} at most; bench run --resume RUN --retry-errors goes on when it is over.`,
    })
  return retries
}

/** Milliseconds after which a block is ended; `none` is Infinity. */
export function parseEndBlocked(problems: Problem[], text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = text === 'none' ? Number.POSITIVE_INFINITY : parseDecimal(text)
  if (seconds >= 0) return 1000 * seconds
  problems.push({
    where: `--end-blocked ${text}`,
    what: 'is no number of seconds',
    fix: 'Write for example --end-blocked 30, or --end-blocked none.',
  })
  return undefined
}

/** Limits of each trial, as they were given; null is `none`, and lifts what the config file or bench would set. */
export type TypedLimits = { [Unit in keyof Limits]?: Limits[Unit] | null }

/** `calls=20,tokens=100000`, or `calls=none`. */
export function parseLimits(problems: Problem[], text: string | undefined): TypedLimits {
  if (text === undefined) return {}
  const all = text.split(',').map((pair) => {
    const [key = '', value = '', ...more] = pair.split('=').map((part) => part.trim())
    return [key, more.length > 0 ? Number.NaN : value === 'none' ? null : parseDecimal(value)] as const
  })
  const lifted = all.filter(([key, value]) => value === null && Object.hasOwn(Limits.shape, key))
  const entries = all.filter((entry) => !lifted.includes(entry))
  const keys = all.map(([key]) => key)
  const twice = keys.find((key, i) => keys.indexOf(key) < i)
  if (twice !== undefined) {
    const fix = 'Give each limit once.'
    problems.push({ where: `--limit ${text}`, what: `gives "${twice}" twice`, fix })
    return {}
  }
  const parsed = Limits.safeParse(Object.fromEntries(entries))
  if (parsed.success) return { ...parsed.data, ...Object.fromEntries(lifted) }
  for (const issue of parsed.error.issues) {
    const key = issue.code === 'unrecognized_keys' ? issue.keys.join(', ') : issue.path.join('.')
    problems.push({
      where: `--limit ${text}`,
      what:
        issue.code === 'unrecognized_keys'
          ? `there is no limit "${key}"`
          : `"${key}" is not a number above 0${key === 'costUsd' || key === 'timeMs' ? '' : ', and whole'}`,
      fix: `Known: ${Object.keys(Limits.shape).join(', ')}; each with a number above 0, or none.`,
    })
  }
  return {}
}

/** `ROLE=PROVIDER:MODEL`, any number of them, over one agent for all others. */
export function parseAgents(
  problems: Problem[],
  all: string | undefined,
  single: readonly string[],
  roles: readonly string[],
): Record<string, string> {
  const agents: Record<string, string> = all === undefined ? {} : { '*': all }
  for (const text of single) {
    const at = text.indexOf('=')
    const role = text.slice(0, at).trim()
    if (at < 1 || at === text.length - 1)
      problems.push({
        where: `--agent ${text}`,
        what: 'is not ROLE=AGENT',
        fix: 'Write for example --agent auditor=simulated.',
      })
    else if (roles.length > 0 && !roles.includes(role))
      problems.push({
        where: `--agent ${text}`,
        what: `no chosen method has a role "${role}"`,
        fix: `Their roles: ${roles.join(', ')}.`,
      })
    else if (Object.hasOwn(agents, role))
      problems.push({
        where: `--agent ${text}`,
        what: `gives role "${role}" a second agent`,
        fix: 'Give each role one.',
      })
    else agents[role] = text.slice(at + 1).trim()
  }
  return agents
}
