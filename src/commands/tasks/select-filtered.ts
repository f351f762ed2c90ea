import { suitesByName } from '../../loop/plan/built-in-tasks.ts'
import { filterTasks } from '../../loop/plan/filter-tasks.ts'
import { type Selection, selectTasks } from '../../loop/plan/select-tasks.ts'
import type { TaskFilter } from '../../schema/run/run.ts'
import { parseTaskCondition } from '../../schema/task-condition.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { type RunOptions, readWhole } from '../config/run-options.ts'

/** The options of commands that select tasks, apart from the selection. */
export type SelectionOptions = Pick<RunOptions, 'tag' | 'where' | 'sample' | 'seed' | 'skipInvalid'>

/** Selects tasks by `read` and filters them. Throws `UserError` with every problem. */
export async function selectFiltered(
  selection: string,
  options: SelectionOptions,
  read = selectTasks,
): Promise<Selection> {
  const problems: Problem[] = []
  const seed = readWhole(problems, options, 'seed', 1)
  const filter = parseFilter(problems, options, seed)
  if (problems.length > 0) throw new UserError(problems)
  const selected = await read(selection, seed, options)
  if (!filter) return selected
  const { tasks, notes } = filterTasks(selected.tasks, filter)
  return { ...selected, tasks, notes: [...selected.notes, ...notes] }
}

/** The selection of all built-in tasks, with those that `all` leaves out. */
export const everyBuiltIn: string = ['all', ...suitesByName].join(',')
/** Parses the filter; undefined if no flag of it was given. Adds every problem. */
export function parseFilter(problems: Problem[], options: RunOptions, seed: number): TaskFilter | undefined {
  const { tag, where, sample } = options
  if (tag === undefined && where === undefined && sample === undefined) return undefined
  const listed = (flag: string, text: string | undefined) => {
    const words = text?.split(',').map((word) => word.trim())
    if (words?.every((word) => word === ''))
      problems.push({ where: flag, what: 'is empty', fix: 'Give it a value, or remove it.' })
    return words?.filter((word) => word !== '')
  }
  const conditions = listed('--where', where)
  for (const condition of conditions ?? [])
    try {
      parseTaskCondition(condition, `--where ${condition}`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  const tags = listed('--tag', tag)
  return {
    ...(tags && { tags }),
    ...(conditions && { where: conditions }),
    ...(sample !== undefined && { sample: readWhole(problems, options, 'sample', 1) }),
    seed,
  }
}
