import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files } from '../schema/task.ts'
import type { SandboxLimits } from './limits.ts'
import type { PackagePart } from './machine/python-packages.ts'

/** The tool that isolates programs. */
export type SandboxAdapter = 'bubblewrap' | 'docker' | 'podman' | 'none'

/** A program and the files that it starts with. */
export interface SandboxProgram {
  /** Text files in the private folder, which is the program's working directory. */
  files: Files
  /** Program and arguments; never a shell. */
  command: readonly string[]
  /** Read-only files in a folder of their own. `{tools}` at the beginning of an argument stands for that folder. */
  tools?: Files
  /** Added to the fixed environment (PATH, TZ=UTC, LANG=C.UTF-8, PYTHONHASHSEED=0, HOME and TMPDIR of its own). */
  env?: Readonly<Record<string, string>>
  /** It starts no tool outside of the system's folders, so no other toolchain folder is visible. */
  standalone?: boolean
  /** Python packages that it can import besides the standard library. */
  packages?: readonly PackagePart[]
  /** The real path of a folder that it may read, with the packages in it. */
  shows?: string
  /** An agent's folders, used instead of new ones. With them the program may write to its HOME and connect to its gateway. */
  place?: AgentPlace
  /** What a stage has beside its workspace. With `place` it is the stage of an agent, whose folders are the place's. */
  stage?: StageParts
}

/** What a stage of a chain has beside its workspace: files that it cannot change, a state file, and a socket to the harness. */
export interface StageParts {
  /** Read-only files in a folder of their own. `{stage}` at the beginning of an argument stands for that folder. */
  files: Files
  /** The text that the state file begins with. */
  state: string
  /** Called when the folders are there, before the program starts. */
  open(folder: StageFolder): StageHost
}

/** The folders of a stage. The program may change all that is in them at any time. */
export interface StageFolder {
  workspace: string
  /** The folder that holds the state file alone, and the file's name in it. */
  state: string
  stateName: string
  /** The level of the sandbox that the program runs in. */
  level: SandboxLevel
  /** Replaces a file of the workspace; null removes it. */
  write(path: string, content: string | null): void
  /** Replaces the real paths of these folders in a text by those that are the same at every level. */
  hidePaths(text: string): string
}

/** The harness's side of a stage. */
export interface StageHost {
  /** Called for each connection to the socket. */
  onConnection(socket: Socket): void
  /** Returns for how long the program has waited for the harness by now; ms. That time does not count for its limit. */
  waitedMs(): number
  /** Called when the whole process tree has ended, before the folders are removed. */
  end(ended: ProgramEnd): Promise<void>
}

/** An agent's folders, which persist, and its gateway. */
export interface AgentPlace {
  workspace: string
  /** HOME; files of an agent session persist here until the next call. */
  home: string
  /** Files written to HOME before the program starts; they replace existing ones. */
  settings?: Files
  /** The only connection out of the sandbox; see `openGateway`. */
  gateway: Gateway
}

/** A connection from a sandbox to the harness. */
export interface Gateway {
  /** The URL as seen by the program. */
  url: string
  /** The harness's unix socket behind it; absent if the program shares the harness's network. */
  socket?: string
}

/** One command to run on a copy of some files. */
export interface SandboxCommand extends SandboxProgram {
  /** Written to standard input, which is then closed. Not together with `peer`. */
  stdin?: string
  /** Limit of the wall time; ms. */
  timeoutMs: number
  /** Overrides of the default limits. */
  limits?: Partial<SandboxLimits>
  /** Bytes kept of each stream, its beginning and its end. If more was printed, `truncated` is true. Default 1 MiB. */
  maxOutputBytes?: number
  /**
   * A second program with its own private folder and sandbox. The standard output of each is the standard input of the other;
   * each has its own stderr. When the first ends, the second is ended. When the second ends, the first reads the end of its input
   * and may use the rest of the time. With `peerStdin: 'empty'` the second has the streams at the descriptors 5 and 6, where the
   * launcher can pass them; its own standard input is then empty, and its standard output goes to its standard error.
   */
  peer?: SandboxProgram
  peerStdin?: 'empty'
  /** Called with the streams of the program when it was started. Whoever takes them reads and ends them. Not together with `stdin` or `peer`. */
  talk?(streams: ProgramStreams): void
  signal?: AbortSignal
  /** Called with the workspace's place when the whole process tree has ended, before it is removed. */
  onEnd?(workspace: string): void
}

/** The standard streams of a program that runs. */
export interface ProgramStreams {
  input: Writable
  output: Readable
  /** Its working directory, as it sees it. */
  cwd: string
  /** The user that it runs as; absent if that is the current one. */
  uid?: number
}

/** The limit that ended a program. */
export type EndedBy = 'wall' | 'output' | 'cpu' | 'file-size' | 'files' | 'memory' | 'processes'

/** How a program ended. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  exitCode: number | null
  /** The signal that ended it. An exit code of 128 + n means signal n, as in a shell: a sandbox reports nothing more. */
  killedBy: string | null
  stderr: string
  /** Bench ended it: its time was over, it took too much, or it outlived the first program. */
  stopped?: true
  /** The signal reached the sandbox itself, which no program inside can do. */
  fromOutside?: true
  /** The limit that ended it, if known. */
  ended?: EndedBy
  /** `ended` as a phrase without a subject, equal on every machine: "still running after the limit of 400 ms". */
  reason?: string
}

/** The result of a command. */
export interface SandboxResult extends ProgramEnd {
  /** Empty for a command with a peer, or whose output somebody else reads. */
  stdout: string
  timedOut: boolean
  truncated: boolean
  /** How the second program ended; by SIGKILL if it outlived the first. */
  peer?: ProgramEnd
  level: SandboxLevel
  /** Measured wall time; ms. Never recorded. */
  durationMs: number
}

/**
 * Runs a command on a private copy that is removed afterwards. The whole process tree has ended when the promise ends. Whatever
 * the command does, it does not reject; it rejects with `InfrastructureError` if the program cannot be started, and with the
 * signal's reason if aborted. Every check and grader runs its programs through this function.
 */
export type SandboxRun = (command: SandboxCommand) => Promise<SandboxResult>
