import { mean as meanOrNull } from '../numeric/moments.ts'

/** Values of single trials as [task][epoch]; null is a missing trial. Rows may differ in length. */
export type Cells = readonly (readonly (number | null)[])[]

/** One task under one method, its epochs summed up: the unit of every procedure here. */
export interface TaskValue {
  /** Mean of the trials that have a value; null where none has. */
  mean: number | null
  /** Trials with a value, and trials that were planned and have none. */
  trials: number
  missing: number
  /** Sum of squared deviations of the trials from `mean`. */
  squares: number
}

/** A task without trials. */
export function emptyValue(): TaskValue {
  return { mean: null, trials: 0, missing: 0, squares: 0 }
}

/** Adds a trial's value, or a missing one (null), to its task. Welford 1962. */
export function addTrial(task: TaskValue, value: number | null): void {
  if (value === null) {
    task.missing++
    return
  }
  task.trials++
  const before = task.mean ?? 0
  task.mean = before + (value - before) / task.trials
  task.squares += (value - before) * (value - task.mean)
}

/** Sums up each row of cells. */
export function taskValues(cells: Cells): TaskValue[] {
  return cells.map((row) => {
    const values = row.filter((value) => value !== null)
    const mean = meanOrNull(values)
    const squares = values.reduce((sum, value) => sum + (value - (mean as number)) ** 2, 0)
    return { mean, trials: values.length, missing: row.length - values.length, squares }
  })
}

/** A task of `trials` graded trials of which `passed` passed. */
export function successValue(passed: number, trials: number, missing: number): TaskValue {
  if (trials === 0) return { mean: null, trials, missing, squares: 0 }
  const mean = passed / trials
  return { mean, trials, missing, squares: trials * mean * (1 - mean) }
}

/** The means of the tasks that have one. */
export function knownMeans(tasks: readonly TaskValue[]): number[] {
  return tasks.map(({ mean }) => mean).filter((mean) => mean !== null)
}

/** Trials with a value, over all tasks. */
export function trialsOf(tasks: readonly TaskValue[]): number {
  return tasks.reduce((sum, { trials }) => sum + trials, 0)
}

/** Means of the two methods over the tasks, in their order, where both have one. Both lists are of the same tasks. */
export function pairedMeans(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
): { a: number[]; b: number[]; dropped: number } {
  const both = a.flatMap(({ mean }, index) => {
    const other = b[index]?.mean ?? null
    return mean === null || other === null ? [] : [[mean, other] as const]
  })
  return { a: both.map(([x]) => x), b: both.map(([, y]) => y), dropped: a.length - both.length }
}
