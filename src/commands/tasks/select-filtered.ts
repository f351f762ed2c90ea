import { suitesByName } from '../../loop/plan/built-in-tasks.ts'
import { filterTasks } from '../../loop/plan/filter-tasks.ts'
import { type Selection, selectTasks } from '../../loop/plan/select-tasks.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type FilterOptions, parseFilter } from '../values/filter-options.ts'
import { parseWholeNumber } from '../values/parse-values.ts'

/** The options of commands that select tasks, apart from the selection. */
export interface SelectionOptions extends FilterOptions {
  /** The seed of samples. */
  seed?: string
  skipInvalid?: boolean
}

/** Selects tasks by `read` and filters them. Throws `UserError` with every problem. */
export async function selectFiltered(
  selection: string,
  options: SelectionOptions,
  read = selectTasks,
): Promise<Selection> {
  const problems: Problem[] = []
  const seed = parseWholeNumber(problems, '--seed', options.seed, 1, 0)
  const filter = parseFilter(problems, options, seed)
  if (problems.length > 0) throw new UserError(problems)
  const selected = await read(selection, seed, options)
  if (!filter) return selected
  const { tasks, notes } = filterTasks(selected.tasks, filter)
  return { ...selected, tasks, notes: [...selected.notes, ...notes] }
}

/** The selection of all built-in tasks, with those that `all` leaves out. */
export const everyBuiltIn: string = ['all', ...suitesByName].join(',')
