import { hideKeys } from './hide-keys.ts'
import { shorten } from './shorten.ts'

/** One problem of the user's input. */
export interface Problem {
  /** Where it is: a flag, a file with line, a field. */
  where: string
  /** What is wrong. */
  what: string
  /** What to write or run instead. */
  fix?: string
}

/** Returns a problem whose parts are short. */
export const problemAt = (where: string, what: string, fix: string): Problem => ({ where, what, fix })

/** A mistake of the user, with all its problems, in which nothing looks like a key. Printed without a stack trace; exit code 2. */
export class UserError extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[] | Problem) {
    const given = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem]
    // Whatever a message repeats of what was typed or read.
    const all = given.map(
      ({ where, what, fix, ...rest }): Problem => ({
        ...{ ...rest, where: hideKeys(where), what: hideKeys(what) },
        ...(fix !== undefined && { fix: hideKeys(fix) }),
      }),
    )
    super(all.map(formatProblem).join('\n'))
    this.name = 'UserError'
    this.problems = all
  }
}

/** Formats a problem as `[where] what. fix`. Lines longer than 2000 characters, such as quoted values, are shortened. */
export function formatProblem(problem: Problem): string {
  const [where, what, fix] = [problem.where, problem.what, problem.fix ?? ''].map(readable)
  return `[${where}] ${what}${/[.?!]$/.test(problem.what) ? '' : '.'}${fix ? ` ${fix}` : ''}`
}

/** Shortens each line separately, since a text of several lines may be a table. */
const readable = (text: string) =>
  text
    .split('\n')
    .map((line) => shorten(line, 2000))
    .join('\n')

/** Returns the message of a thrown value, or the value as text. The user's code may throw anything, even values without a text. */
export function thrownText(thrown: unknown): string {
  try {
    return String((thrown as Error | undefined)?.message ?? thrown)
  } catch {
    return 'it threw what cannot be shown as text'
  }
}

/** Returns a thrown value as an `Error`, whose properties can be read safely. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
  } catch {}
  return new Error(thrownText(thrown))
}

/** The reasons of `AgentError`. */
export const agentErrorReasons = [
  'timeout',
  'refusal',
  'unparsable',
  'empty',
  'context-overflow',
  'quota',
  'network',
  'server',
  'key',
  'request',
  'not-found',
  'exit',
  'limit',
  'tools',
  'missing',
  'unasked',
] as const

/** Why an ask gave no usable reply. `not-found`: the server knows no such model or address. `tools`: the agent used up its turns with tool calls. `unasked`: an agent program never asked its model. `missing`: the recorded replies have none to the task. `limit` is a limit of the ask itself, `unparsable` a reply that does not have its `shape`. */
export type AgentErrorReason = (typeof agentErrorReasons)[number]

/** An ask failed after all its attempts. A strategy may catch it; otherwise it decides the trial's outcome. */
export class AgentError extends Error {
  /** Why the last attempt gave no usable reply. */
  readonly reason: AgentErrorReason
  constructor(reason: AgentErrorReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'AgentError'
    this.reason = reason
  }
}

/** A limit of the trial refused an effect or cut it off. The branch can do nothing more, and the trial ends as `limited`. */
export class LimitError extends Error {
  /** The limit's name, such as `calls` or `costUsd`. */
  readonly limit: string
  constructor(limit: string, message: string) {
    super(message)
    this.name = 'LimitError'
    this.limit = limit
  }
}

/** Two steps of a graph changed one file, and the policy does not allow that. */
export class ConflictError extends Error {
  /** Id of the later of the two in plan order. */
  readonly later: string
  constructor(later: string, message: string) {
    super(message)
    this.name = 'ConflictError'
    this.later = later
  }
}

/** Infrastructure broke (a grader, a child process that cannot start). The outcome is `error`, never a score of 0. */
export class InfrastructureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InfrastructureError'
  }
}

/** Writing to the run folder failed. What is on disk stays, and the run can be resumed. Exit code 1. */
export class StorageError extends InfrastructureError {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(formatProblem(problem), options)
    this.name = 'StorageError'
    this.problem = problem
  }
}
