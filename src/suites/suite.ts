import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'

/** The tasks that could be read, and the problems of the others. */
export interface LoadedSuite {
  tasks: Task[]
  problems: Problem[]
}

/** A task of a suite, the problems of one that cannot be read, or a note for the user, such as what was left out. */
export type SuiteItem = { task: Task } | { problems: readonly Problem[] } | { note: string }

/** What a user named: `NAME:PATH?parameter=value`. */
export interface SuiteSource {
  /** An absolute path of a file or a folder. */
  path: string
  /** The parameters after `?`. Only those that the importer declares arrive. */
  parameters: Readonly<Record<string, string>>
}

/** Reads suites of one format. */
export interface Importer {
  /** The name before the colon of `humaneval:PATH`. */
  name: string
  /** One line for `bench tasks`. */
  summary: string
  /** The parameters that may follow the path, each with what it gives. */
  parameters?: Readonly<Record<string, string>>
  /**
   * Reads a suite in its order, item by item: whoever stops early leaves the rest unread. Throws `UserError` for what cannot be read
   * at all.
   */
  read(source: SuiteSource): AsyncIterable<SuiteItem>
}
