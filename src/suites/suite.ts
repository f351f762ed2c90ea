import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'

/** Tasks that were read, and what was wrong with the others. */
export interface LoadedSuite {
  tasks: Task[]
  problems: Problem[]
}

/** Reads a suite in its own format. `path` is a file or folder of the user's. */
export interface Importer {
  /** As written before the colon: `humaneval:PATH`. */
  name: string
  /** One line for `bench tasks`. */
  summary: string
  load(path: string): LoadedSuite
}
