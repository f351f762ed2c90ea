import { differences, differenceTest } from '../../src/analysis/paired/task-difference.ts'
import {
  addTrial,
  emptySums,
  pairedMeans,
  type TaskValue,
  taskValue,
} from '../../src/analysis/tasks/task-value.ts'

/** Values of single trials as [task][epoch]; null is a missing trial. Rows may differ in length. */
export type Cells = readonly (readonly (number | null)[])[]

/** Each row of cells, summed up as the trials of a run are. */
export function taskValues(cells: Cells): TaskValue[] {
  return cells.map((row) => {
    const sums = emptySums(1)
    for (const value of row) addTrial(sums, 0, value)
    return taskValue(sums, 0)
  })
}

/** A - B over the tasks that both have: what `compare` does before it tests. */
export function pairedTaskDifference(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  confidence: number,
): ReturnType<typeof differenceTest> & { nDropped: number } {
  const pairs = pairedMeans(a, b)
  return { ...differenceTest(differences(pairs.a, pairs.b), confidence), nDropped: pairs.dropped }
}
