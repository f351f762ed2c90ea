import { parseTaskCondition } from '../../loop/plan/filter-tasks.ts'
import type { TaskFilter } from '../../schema/run/task-filter.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { parseWholeNumber } from './parse-values.ts'

/** The options that select among tasks. */
export interface FilterOptions {
  tag?: string
  where?: string
  sample?: string
}

/** Parses the filter; undefined if no flag of it was given. Adds every problem. */
export function parseFilter(
  problems: Problem[],
  { tag, where, sample }: FilterOptions,
  seed: number,
): TaskFilter | undefined {
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
      parseTaskCondition(condition)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  const tags = listed('--tag', tag)
  return {
    ...(tags && { tags }),
    ...(conditions && { where: conditions }),
    ...(sample !== undefined && { sample: parseWholeNumber(problems, '--sample', sample, 1) }),
    seed,
  }
}
