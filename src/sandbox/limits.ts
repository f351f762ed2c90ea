/** Limits of one sandboxed program. The kernel applies them to each process, except `processes`, which covers all of them. */
export interface SandboxLimits {
  /** Processor time; s. */
  cpuSeconds: number
  /** Writable memory of a process (RLIMIT_DATA: V8 reserves far more addresses than it uses), and shared memory of all; bytes. */
  memoryBytes: number
  /** Concurrent processes and threads; Node has eleven. */
  processes: number
  /** Maximum size of a file that it writes, its output included; bytes. */
  fileBytes: number
  openFiles: number
  /** What its files take up on disk, in its workspace and in an agent's HOME together; bytes. */
  workspaceBytes: number
  /** Files, folders and links there; also in each of its folders in memory. */
  workspaceFiles: number
}

/** The default limits: ample for a task's tests, little for an attack. */
export const defaultLimits: Readonly<SandboxLimits> = {
  cpuSeconds: 600,
  memoryBytes: 1024 ** 3,
  processes: 128,
  fileBytes: 64 * 1024 ** 2,
  openFiles: 1024,
  workspaceBytes: 512 * 1024 ** 2,
  workspaceFiles: 65_536,
}
