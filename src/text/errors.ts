import { shorten } from './shorten.ts'

/** One thing that is wrong with what the user gave: where, what, and what to write instead. */
export interface Problem {
  /** Address of the thing: a flag, a file with line, a field. */
  where: string
  /** The fact. */
  what: string
  /** What to write or run instead. */
  fix?: string
}

/** The user's mistake: all problems at once, printed without a stack trace, exit code 2. */
export class UserError extends Error {
  readonly problems: readonly Problem[]
  constructor(problems: readonly Problem[] | Problem) {
    const all = Array.isArray(problems) ? (problems as readonly Problem[]) : [problems as Problem]
    super(all.map(formatProblem).join('\n'))
    this.name = 'UserError'
    this.problems = all
  }
}

/** `[where] what. fix` on one line. A value of 100,000 characters that one of them quotes is told by its two ends. */
export function formatProblem(problem: Problem): string {
  const [where, what, fix] = [problem.where, problem.what, problem.fix ?? ''].map(readable)
  return `[${where}] ${what}${/[.?!]$/.test(problem.what) ? '' : '.'}${fix ? ` ${fix}` : ''}`
}

/** Each line for itself: a text of many lines is a table, a longer line than any path is a value. */
const readable = (text: string) =>
  text
    .split('\n')
    .map((line) => shorten(line, 2000))
    .join('\n')

/** What was thrown, as text: its message, or itself. Code of the user's may throw anything, also what refuses to be text. */
export function thrownText(thrown: unknown): string {
  try {
    return String((thrown as Error | undefined)?.message ?? thrown)
  } catch {
    return 'it threw what cannot be shown as text'
  }
}

/** The same as an error, which alone can be asked safely what it is. */
export function asError(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
  } catch {}
  return new Error(thrownText(thrown))
}

/** Why an ask gave no usable reply. `limit` is a limit of the ask itself, `unparsable` a reply that does not have its `shape`. */
export type AgentErrorReason =
  | 'timeout'
  | 'refusal'
  | 'unparsable'
  | 'empty'
  | 'context-overflow'
  | 'quota'
  | 'network'
  | 'server'
  | 'key'
  | 'request'
  | 'exit'
  | 'limit'

/** An ask that failed after all its attempts. A strategy may catch it; else it decides the trial's outcome. */
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

/** Something of ours broke (a grader, a child process that cannot start): outcome `error`, never a score of 0. */
export class InfrastructureError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'InfrastructureError'
  }
}

/** The disk or the run folder failed while a run was written: what is on the disk stays, the run can be resumed. Exit code 1. */
export class StorageError extends InfrastructureError {
  readonly problem: Problem
  constructor(problem: Problem, options?: ErrorOptions) {
    super(formatProblem(problem), options)
    this.name = 'StorageError'
    this.problem = problem
  }
}
