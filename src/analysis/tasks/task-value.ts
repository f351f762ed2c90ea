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

/** Several measures of one task's trials, summed up one by one: numbers side by side, for a run has many tasks and adds to each in turn. */
export type TrialSums = Float64Array

const meanAt = 0
const trialsAt = 1
const missingAt = 2
const squaresAt = 3
const perMeasure = 4

/** Sums of no trials. */
export function emptySums(measures: number): TrialSums {
  return new Float64Array(measures * perMeasure)
}

/** Adds a trial's value of one measure, or a missing one (null). Welford 1962. */
export function addTrial(sums: TrialSums, measure: number, value: number | null): void {
  const at = measure * perMeasure
  if (value === null) {
    sums[at + missingAt] = (sums[at + missingAt] as number) + 1
    return
  }
  const trials = (sums[at + trialsAt] as number) + 1
  const before = sums[at + meanAt] as number
  const mean = before + (value - before) / trials
  sums[at + trialsAt] = trials
  sums[at + meanAt] = mean
  sums[at + squaresAt] = (sums[at + squaresAt] as number) + (value - before) * (value - mean)
}

/** What they come to, of one measure. */
export function taskValue(sums: TrialSums, measure: number): TaskValue {
  const number = (at: number) => sums[measure * perMeasure + at] as number
  const trials = number(trialsAt)
  const mean = trials === 0 ? null : number(meanAt)
  return { mean, trials, missing: number(missingAt), squares: number(squaresAt) }
}

/** A task of `trials` graded trials of which `passed` passed. */
export function successValue(passed: number, trials: number, missing: number): TaskValue {
  if (trials === 0) return { mean: null, trials, missing, squares: 0 }
  const mean = passed / trials
  return { mean, trials, missing, squares: trials * mean * (1 - mean) }
}

/** The means of the tasks that have one. */
export function taskMeans(tasks: readonly TaskValue[]): number[] {
  return tasks.map(({ mean }) => mean).filter((mean) => mean !== null)
}

/** Trials with a value, over all tasks. */
export function countTrials(tasks: readonly TaskValue[]): number {
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
