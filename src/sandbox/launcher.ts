import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { PrivateFolder } from './folders/private-folder.ts'
import type { SandboxLimits } from './limits.ts'
import type { SandboxProgram } from './sandbox.ts'

/** The command that starts a program inside its sandbox. */
export interface Launch {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** Opens the system call filter, which the wrapper reads from file descriptor 4; absent if there is none. */
  openFilter?(): number
  /** Ends what survives the started process, and waits for it. */
  cleanUp?(): Promise<void>
}

/** The status that a wrapper writes to file descriptor 3. */
export interface WrapperStatus {
  /** The wrapper started the program. */
  started: boolean
  /** Process id of the sandbox's first process: when it ends, all of them end. */
  init?: number
}

/** Starts programs inside a sandbox. */
export interface Launcher {
  level: SandboxLevel
  /** The user that programs run as, which owns their folders; absent if it is the current user. */
  uid?: number
  /** Programs see their folders at the paths of this machine, since nothing is mounted for them. */
  inPlace?: true
  /** Programs get file descriptors above 2. */
  passesDescriptors?: true
  /** Folders that programs can read, besides the system's. */
  visibleFolders: readonly string[]
  /** Programs can read this machine's system folders, except what is hidden in them. */
  showsSystem?: boolean
  /** What it cannot do on this machine and why, as a sentence without a full stop; absent if it can do everything. */
  limitation?: string
  /** What programs lack here, as sentences without a full stop. */
  notes?: readonly string[]
  launch(folder: PrivateFolder, program: SandboxProgram, limits: SandboxLimits): Launch
  /** Parses what the wrapper wrote to file descriptor 3; absent if there is no wrapper. */
  readStatus?(text: string): WrapperStatus
}

/** Environment variables of every program, the same at every level. */
export const fixedEnvironment: Readonly<Record<string, string>> = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
}
