import type { Task } from '../schema/task.ts'
import { type Problem, UserError } from '../text/errors.ts'
import type { Slice } from './select.ts'
import type { Importer, LoadedSuite, SuiteSource } from './suite.ts'

/** The tasks of a suite, and how many of its tasks were read: fewer than a slice asks for if there are no more. */
interface Loaded extends LoadedSuite {
  read: number
  notes: string[]
}

/**
 * Reads the tasks of a suite, or those of a slice, whose end is the last that is read. What cannot be read is among the problems,
 * also where the whole suite cannot.
 */
export async function loadSuite(importer: Importer, source: SuiteSource, range?: Slice): Promise<Loaded> {
  const tasks: Task[] = []
  const problems: Problem[] = []
  const notes: string[] = []
  let read = 0
  try {
    for await (const item of importer.read(source)) {
      if ('problems' in item) {
        problems.push(...item.problems)
        continue
      }
      if ('note' in item) {
        notes.push(item.note)
        continue
      }
      if (read >= (range?.from ?? 0)) tasks.push(item.task)
      read++
      if (range && read > range.to) break
    }
    if (read === 0 && problems.length === 0) problems.push({ where: source.path, what: 'contains no task' })
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
  }
  return { tasks, problems, read, notes }
}
