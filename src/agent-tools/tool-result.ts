import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files } from '../schema/task.ts'
import type { MemoryNote, ToolOutcome } from '../schema/tool/tool-call.ts'
import type { ToolServer } from '../schema/tool/tool-set.ts'
import type { CheckResult, FileEdit } from '../strategy.ts'

/** What a tool may use of the ask that calls it. */
export interface ToolPlace {
  /** The files as the ask's earlier calls left them. */
  files(): Files
  /** The notes that the branch can see of a memory tool, oldest first. */
  notes(tool: string): readonly MemoryNote[]
  /** The files that the task takes from the work, as it names them, and whether a path is one; absent if it names none. */
  counted?: { names: readonly string[]; has(path: string): boolean }
  /** Runs the visible checks on these files. They are counted and limited like those of a method. */
  check(): Promise<CheckResult>
}

/** The result of one call. */
export interface ToolResult {
  outcome: ToolOutcome
  /** What the model gets: the result, or an error that says what to do instead. */
  text: string
  /** Changes of files, which the ask's later calls see. */
  edits?: readonly FileEdit[]
  /** A note that a memory tool keeps. */
  note?: MemoryNote
  /** The server that answered. */
  server?: ToolServer
  /** The sandbox level of the code that ran. */
  sandbox?: SandboxLevel
}
