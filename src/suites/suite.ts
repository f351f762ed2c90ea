import type { Task } from '../schema/task.ts'
import type { Problem } from '../text/errors.ts'

/** The tasks that could be read, and the problems of the others. */
export interface LoadedSuite {
  tasks: Task[]
  problems: Problem[]
}

/** How a row that names no grader is graded, by what its answer looks like. */
export interface Guess {
  line: number
  grader: string
  /** What it looks like: `the answer is one number`. */
  reason: string
  answer: string
}

/** A file with a function that grades, which a suite names. It runs in the sandbox. */
export interface NamedProgram {
  /** An absolute path. */
  file: string
  where: string
  /** The user typed its name in the selection; else it stands in the data. */
  isTyped: boolean
  /** SHA-256 of the texts of the file and of what it loads, as they were read. */
  digest: string
}

/** A task of a suite, the problems of one that cannot be read, what the user should know of the suite, or code that it names. */
export type SuiteItem =
  | { task: Task; guess?: Guess }
  | { problems: readonly Problem[] }
  | { note: string }
  | { program: NamedProgram }

/** What a user named: `NAME:PATH?parameter=value`. */
export interface SuiteSource {
  /** An absolute path of a file or a folder. */
  path: string
  /** The parameters after `?`. Only those that the importer declares arrive. */
  parameters: Readonly<Record<string, string>>
}

/**
 * What stands at a path, for importers to recognise their format: the beginning of a file, or the first names of a folder. Nothing is
 * read beyond it.
 */
export type Sample =
  | {
      kind: 'file'
      /** The file's name, without its folders. */
      name: string
      /** Its first 64 KiB at most as text, without a byte order mark; its last line may be cut. */
      text: string
      /** The field names of its first JSON object (of JSONL, of a list or of one object), in order; none if it is not JSON. */
      fields: readonly string[]
    }
  | {
      kind: 'folder'
      /** The folder's name, without its parents. */
      name: string
      /**
       * Paths below it with `/`, three levels deep and 1,000 at most, the upper levels first, folders with `/` at their end. Without
       * `.git` and `node_modules`.
       */
      paths: readonly string[]
    }

/** `certain`: only this format looks like it. `possible`: this format can read it, but a narrower one may fit better. */
type Recognition = 'certain' | 'possible'

/** Reads suites of one format. */
export interface Importer {
  /** The name before the colon of `humaneval:PATH`. */
  name: string
  /** One line for `bench tasks`. */
  summary: string
  /** The parameters that may follow the path, each with what it gives. */
  parameters?: Readonly<Record<string, string>>
  /**
   * Whether a sample looks like this format, by its fields or names, such as
   * `(sample) => (sample.kind === 'file' && sample.fields.includes('entry_point') ? 'certain' : undefined)`. It is asked to name
   * the right format where a user wrote another, or none. It must be pure and must not throw.
   */
  recognises?(sample: Sample): Recognition | undefined
  /**
   * Reads a suite in its order, item by item: whoever stops early leaves the rest unread. Throws `UserError` for what cannot be read
   * at all.
   */
  read(source: SuiteSource): AsyncIterable<SuiteItem>
}
