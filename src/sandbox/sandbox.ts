import type { Files } from '../schema/task.ts'

/** One command to run on a copy of some files. */
export interface SandboxCommand {
  /** Text files that stand in the private folder, the command's working directory, when it starts. */
  files: Files
  /** Program and arguments; never a shell. */
  command: readonly string[]
  /** Added to the fixed environment (PATH, TZ=UTC, LANG=C.UTF-8, PYTHONHASHSEED=0, HOME in the folder). */
  env?: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed. */
  stdin?: string
  timeoutMs: number
  /** Kept of each stream, its beginning and its end; the rest is dropped and told by `truncated`. Default 1 MiB. */
  maxOutputBytes?: number
  signal?: AbortSignal
}

/** How it ended. Never rejects for what the command did. */
export interface SandboxResult {
  exitCode: number | null
  /** Signal that ended it. */
  killedBy: string | null
  stdout: string
  stderr: string
  timedOut: boolean
  truncated: boolean
  /** Measured wall time; ms. Never in a record. */
  durationMs: number
}

/**
 * Runs a command on a private copy that is removed afterwards; the whole process tree has ended when it returns.
 * Throws `InfrastructureError` when the program cannot be started at all, and the signal's reason when aborted. Every check and grader goes through here.
 */
export type SandboxRun = (command: SandboxCommand) => Promise<SandboxResult>
