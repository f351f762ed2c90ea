/** What one sandboxed program may use. Kernel limits, each of one process but for `processes`, which is of all together. */
export interface SandboxLimits {
  /** Processor time; s. */
  cpuSeconds: number
  /** Memory that a process may write to (RLIMIT_DATA: V8 reserves far more addresses than it uses), and that all may share; bytes. */
  memoryBytes: number
  /** Processes and threads at once; Node alone has eleven. */
  processes: number
  /** Longest file it may write, its output included; bytes. */
  fileBytes: number
  openFiles: number
}

/** What holds where a command says nothing else: ample for tests of a task, little for an attack. */
export const defaultLimits: Readonly<SandboxLimits> = {
  cpuSeconds: 600,
  memoryBytes: 1024 ** 3,
  processes: 128,
  fileBytes: 64 * 1024 ** 2,
  openFiles: 1024,
}
