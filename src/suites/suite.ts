import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'

/** The tasks that could be read, and the problems of the others. */
export interface LoadedSuite {
  tasks: Task[]
  problems: Problem[]
}

/** Reads suites of one format. */
export interface Importer {
  /** The name before the colon of `humaneval:PATH`. */
  name: string
  /** One line for `bench tasks`. */
  summary: string
  /** Reads the user's file or folder. */
  load(path: string): LoadedSuite
}
