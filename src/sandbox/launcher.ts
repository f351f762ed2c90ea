import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { PrivateFolder } from './folders/private-folder.ts'
import type { SandboxLimits } from './limits.ts'
import type { SandboxProgram } from './sandbox.ts'

/** What is really started for a program, once everything is put around it. */
export interface Launch {
  file: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** Opens the filter of system calls, which the wrapper reads from file descriptor 4; absent where there is none. */
  openFilter?(): number
  /** Ends what killing the started process does not reach, and waits for it. */
  cleanUp?(): Promise<void>
}

/** What a wrapper wrote of itself to file descriptor 3. */
export interface WrapperStatus {
  /** It came so far as to start the program. */
  started: boolean
  /** Process id of the sandbox's first process: with it, all of them end. */
  init?: number
}

/** Puts a sandbox around programs. */
export interface Launcher {
  level: SandboxLevel
  /** User that programs run as, where that is not ours: owns their folders. */
  uid?: number
  /** Folders beside the system's that programs see, read-only. */
  visibleFolders: readonly string[]
  /** Programs see the system's folders of this machine, but for what is hidden in them. */
  showsSystem?: boolean
  /** What it cannot do on this machine, and why, as a sentence without its stop; absent where it can do all. */
  limitation?: string
  launch(folder: PrivateFolder, program: SandboxProgram, limits: SandboxLimits): Launch
  /** Reads what the wrapper wrote to file descriptor 3; absent where there is no such wrapper. */
  readStatus?(text: string): WrapperStatus
}

/** Variables of every program, the same at every level. */
export const fixedEnvironment: Readonly<Record<string, string>> = {
  TZ: 'UTC',
  LANG: 'C.UTF-8',
  PYTHONHASHSEED: '0',
  PYTHONDONTWRITEBYTECODE: '1',
}
