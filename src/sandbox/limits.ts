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
}

/** The default limits: ample for a task's tests, little for an attack. */
export const defaultLimits: Readonly<SandboxLimits> = {
  cpuSeconds: 600,
  memoryBytes: 1024 ** 3,
  processes: 128,
  fileBytes: 64 * 1024 ** 2,
  openFiles: 1024,
}
