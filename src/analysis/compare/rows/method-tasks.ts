import type { GradedTask } from '../../ratios/known-price.ts'
import type { TaskValue } from '../../tasks/task-value.ts'
import type { Outcome, Spent } from '../comparison.ts'
import { type Cell, cellValue, gradedTaskOf } from './cell.ts'

/** Values of one method with one set of agents; every list follows the order of the comparison's tasks. */
export interface MethodTasks {
  label: string
  method: string
  agents: string
  set: string | null
  values: Record<Outcome | Spent, TaskValue[]>
  graded: (GradedTask | null)[]
  /** Number of records of each task. */
  run: number[]
}

const measured = ['success', 'score', 'tokens', 'costUsd', 'durationMs'] as const

/** Returns a method's values in the order of the tasks. Planned epochs without a record are missing. */
export function methodTasks(
  method: Pick<MethodTasks, 'label' | 'method' | 'agents' | 'set'>,
  cells: ReadonlyMap<string, Cell>,
  tasks: readonly string[],
  epochs: number,
): MethodTasks {
  const rows = tasks.map((task) => cells.get(task))
  const run = rows.map((cell) => cell?.run ?? 0)
  const value = (of: Outcome | Spent) =>
    rows.map((cell, index): TaskValue => {
      const known = cellValue(cell, of)
      return { ...known, missing: known.missing + Math.max(0, epochs - (run[index] as number)) }
    })
  const values = Object.fromEntries(measured.map((of) => [of, value(of)])) as MethodTasks['values']
  return { ...method, values, graded: rows.map((cell) => (cell ? gradedTaskOf(cell) : null)), run }
}
