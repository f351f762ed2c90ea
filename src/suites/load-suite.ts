import type { Task } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import type { Slice } from './select.ts'
import type { Guess, Importer, LoadedSuite, NamedProgram, SuiteSource } from './suite.ts'

interface Loaded extends LoadedSuite {
  /** How many of its tasks were read: fewer than a slice asks for if there are no more. */
  read: number
  /** How many items could not be read. */
  skipped: number
  /** Why, of the first of them, one problem each. */
  leftOut: Problem[]
  /** Tasks whose grader nobody stated. */
  guesses: Guess[]
  programs: NamedProgram[]
  notes: string[]
}

/** Items that are left out are listed up to this number, and counted above it. */
const mostLeftOut = 1000

/** With so many problems a file has another format than the user thinks. */
const mostProblems = 50

/**
 * Reads the tasks of a suite, or those of a slice, whose end is the last that is read. What cannot be read is among the problems,
 * also where the whole suite cannot. With `skipInvalid` only the latter are problems, and items that cannot be read are counted.
 */
export async function loadSuite(
  importer: Importer,
  source: SuiteSource,
  { range, skipInvalid = false }: { range?: Slice | undefined; skipInvalid?: boolean | undefined } = {},
): Promise<Loaded> {
  const tasks: Task[] = []
  const problems: Problem[] = []
  const notes: string[] = []
  const leftOut: Problem[] = []
  const guesses: Guess[] = []
  const programs: NamedProgram[] = []
  let read = 0
  let skipped = 0
  try {
    for await (const item of importer.read(source)) {
      if ('note' in item) notes.push(item.note)
      else if ('program' in item) programs.push(item.program)
      else if ('problems' in item) {
        if (problems.length < mostProblems) problems.push(...item.problems)
        skipped++
        const [first] = item.problems
        if (first && leftOut.length < mostLeftOut) leftOut.push(first)
        if (!skipInvalid && problems.length >= mostProblems) break
      } else {
        if (read >= (range?.from ?? 0)) {
          tasks.push(item.task)
          if (item.guess) guesses.push(item.guess)
        }
        read++
        if (range && read > range.to) break
      }
    }
    if (read === 0 && problems.length === 0) problems.push(noTask(source.path))
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    const all = [...(skipInvalid ? [] : problems), ...error.problems]
    return { tasks, problems: all, read, skipped, leftOut, guesses, programs, notes }
  }
  if (!skipInvalid && problems.length >= mostProblems) problems.push(tooMany(source.path))
  const left = skipInvalid && read > 0 ? [] : problems
  return { tasks, problems: left, read, skipped, leftOut, guesses, programs, notes }
}

const noTask = (path: string): Problem => ({
  where: path,
  what: 'contains no task',
  fix: 'Give a file or folder with at least one task.',
})

const tooMany = (path: string): Problem => ({
  where: path,
  what: `was not read to its end: it has more than ${mostProblems} problems`,
  fix: 'Check its format, or leave out what cannot be read: --skip-invalid.',
})
