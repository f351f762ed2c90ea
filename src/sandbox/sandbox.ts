import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files } from '../schema/task.ts'
import type { SandboxLimits } from './limits.ts'
import type { PackagePart } from './machine/python-packages.ts'

/** What is put around programs. */
export type SandboxAdapter = 'bubblewrap' | 'docker' | 'podman' | 'none'

/** A program with the files it starts among. */
export interface SandboxProgram {
  /** Text files that stand in the private folder, the program's working directory, when it starts. */
  files: Files
  /** Program and arguments; never a shell. */
  command: readonly string[]
  /** Added to the fixed environment (PATH, TZ=UTC, LANG=C.UTF-8, PYTHONHASHSEED=0, HOME and TMPDIR of its own). */
  env?: Readonly<Record<string, string>>
  /** It starts no other tool that stands outside of the system's folders: none of those is shown. */
  alone?: boolean
  /** Packages of Python's that it can import beside the standard library. */
  packages?: readonly PackagePart[]
  /** Where an agent works, in place of fresh folders. With it the program may write to its HOME, and reach its gateway. */
  place?: AgentPlace
}

/** Folders that exist and are kept, and the one way out. */
export interface AgentPlace {
  workspace: string
  /** Seen as HOME; what a session leaves there is there for the next call. */
  home: string
  /** Files that stand in HOME when the program starts, whatever another one has left in their places. */
  settings?: Files
  /** Where programs reach what `openGateway` opened, and nothing else. */
  gateway: Gateway
}

/** A way out that the harness holds the other end of. */
export interface Gateway {
  /** As the program sees it. */
  url: string
  /** A unix socket of the harness's that stands behind it; absent where the program shares our network. */
  socket?: string
}

/** One command to run on a copy of some files. */
export interface SandboxCommand extends SandboxProgram {
  /** Written to standard input, which is then closed. Not together with `peer`. */
  stdin?: string
  /** Wall time of all of it; ms. */
  timeoutMs: number
  /** What differs from the default limits. */
  limits?: Partial<SandboxLimits>
  /** Kept of each stream, its beginning and its end; the rest is dropped and told by `truncated`. Default 1 MiB. */
  maxOutputBytes?: number
  /**
   * A second program, with a private folder and a sandbox of its own: what the first one prints is its input, and what
   * it prints is the first one's. Each has its own stderr. When the first ends, the second is ended with it; when the
   * second ends, the first reads the end of its input and has the rest of the time.
   */
  peer?: SandboxProgram
  signal?: AbortSignal
}

/** The limit that ended a program. */
export type EndedBy = 'wall' | 'output' | 'cpu' | 'file-size' | 'memory' | 'processes'

/** How a program ended. */
export interface ProgramEnd {
  /** Null when a signal ended it. */
  exitCode: number | null
  /** Signal that ended it. An exit code of 128 + n stands for signal n, as in a shell: more is not known of a sandbox. */
  killedBy: string | null
  stderr: string
  /** The limit that ended it, where that is known. */
  ended?: EndedBy
  /** `ended` in words without a subject, the same on every machine: "still running after the limit of 400 ms". */
  reason?: string
}

/** How it ended. Never rejects for what the command did. */
export interface SandboxResult extends ProgramEnd {
  /** Empty for a command with a peer. */
  stdout: string
  timedOut: boolean
  truncated: boolean
  /** How the second program ended; by SIGKILL where it outlived the first. */
  peer?: ProgramEnd
  level: SandboxLevel
  /** Measured wall time; ms. Never in a record. */
  durationMs: number
}

/**
 * Runs a command on a private copy that is removed afterwards; the whole process tree has ended when it returns.
 * Throws `InfrastructureError` when the program cannot be started at all, and the signal's reason when aborted. Every check and grader goes through here.
 */
export type SandboxRun = (command: SandboxCommand) => Promise<SandboxResult>
