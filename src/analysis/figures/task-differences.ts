import type { Comparison, PairComparison } from '../compare/comparison.ts'
import { cellValue } from '../compare/rows/cell.ts'
import type { ComparisonRow } from '../compare/rows/comparison-data.ts'
import { differences } from '../paired/task-difference.ts'

/** Differences of a pair of methods, task by task. */
export interface PairDifferences {
  pair: PairComparison
  /** A - B of the primary outcome on the tasks that both have, largest first. */
  tasks: { task: string; difference: number }[]
}

type LabelledRow = ComparisonRow & { label: string }

/** Returns the task differences of each pair of a comparison. `rows` are those of the comparison. */
export function taskDifferences(
  { pairs, tasks, outcome }: Comparison,
  rows: readonly LabelledRow[],
): PairDifferences[] {
  const meanOn = (label: string, task: string) =>
    cellValue(rows.find((row) => row.label === label)?.cells.get(task), outcome).mean
  return pairs.map((pair) => {
    const both = tasks.flatMap((task) => {
      const [a, b] = [meanOn(pair.a, task), meanOn(pair.b, task)]
      return a === null || b === null ? [] : [{ task, a, b }]
    })
    const values = differences(
      both.map(({ a }) => a),
      both.map(({ b }) => b),
    )
    return {
      pair,
      tasks: both
        .map(({ task }, index) => ({ task, difference: values[index] as number }))
        .sort((x, y) => y.difference - x.difference || (x.task < y.task ? -1 : 1)),
    }
  })
}
