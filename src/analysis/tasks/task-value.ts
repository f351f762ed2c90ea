import { mean } from '../numeric/moments.ts'
import type { Clusters } from './clusters.ts'

/** Summary of the epochs of one task and method: the unit of every procedure here. */
export interface TaskValue {
  /** Mean of the trials with a value; null without any. */
  mean: number | null
  /** Trials with a value, and planned trials without one. */
  trials: number
  missing: number
  /** Sum of squared deviations of the trials from `mean`. */
  squares: number
}

/** Running sums of several measures over the trials of one task. */
export type TrialSums = Float64Array

const meanAt = 0
const trialsAt = 1
const missingAt = 2
const squaresAt = 3
const perMeasure = 4

/** Returns the sums of no trials. */
export function emptySums(measures: number): TrialSums {
  return new Float64Array(measures * perMeasure)
}

/** Adds a trial's value of one measure; null is a missing trial. Welford 1962. */
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

/** Returns the task value of one measure. */
export function taskValue(sums: TrialSums, measure: number): TaskValue {
  const number = (at: number) => sums[measure * perMeasure + at] as number
  const trials = number(trialsAt)
  const mean = trials === 0 ? null : number(meanAt)
  return { mean, trials, missing: number(missingAt), squares: number(squaresAt) }
}

/** Returns the task value of `passed` successes in `trials` graded trials. */
export function successValue(passed: number, trials: number, missing: number): TaskValue {
  if (trials === 0) return { mean: null, trials, missing, squares: 0 }
  const mean = passed / trials
  return { mean, trials, missing, squares: trials * mean * (1 - mean) }
}

/** Returns the means of the tasks that have one. */
export function taskMeans(tasks: readonly TaskValue[]): number[] {
  return tasks.map(({ mean }) => mean).filter((mean) => mean !== null)
}

/** Returns the number of trials with a value, over all tasks. */
export function countTrials(tasks: readonly TaskValue[]): number {
  return tasks.reduce((sum, { trials }) => sum + trials, 0)
}

/** Means of two methods on the tasks where both have one, with the clusters of these tasks. */
export interface PairedMeans {
  a: number[]
  b: number[]
  clusters: Clusters | null
  dropped: number
}

/** Returns the means of two methods on the tasks where both have one. All lists must have the same tasks in the same order. */
export function pairedMeans(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  clusters: Clusters | null = null,
): PairedMeans {
  const isKnown = ({ mean }: TaskValue, index: number) => mean !== null && (b[index]?.mean ?? null) !== null
  const both = [...a.keys()].filter((index) => isKnown(a[index] as TaskValue, index))
  const means = (of: readonly TaskValue[]) => both.map((index) => of[index]?.mean as number)
  return {
    a: means(a),
    b: means(b),
    clusters: clusters && both.map((index) => clusters[index] as number),
    dropped: a.length - both.length,
  }
}

/**
 * Returns the difference A - B of an outcome in [0, 1] if every missing trial went against A (`low`), or for it (`high`).
 * All tasks of each method count, including those without a value. Null if a method has no planned trial.
 */
export function missingBounds(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
): { low: number | null; high: number | null } {
  const [worstA, bestA, worstB, bestB] = [filled(a, 0), filled(a, 1), filled(b, 0), filled(b, 1)]
  return { low: difference(worstA, bestB), high: difference(bestA, worstB) }
}

function filled(tasks: readonly TaskValue[], value: number): number | null {
  return mean(taskMeans(fillMissing(tasks, value)))
}

/** Returns the tasks as if every missing trial had this value. */
export function fillMissing(tasks: readonly TaskValue[], value: number): TaskValue[] {
  return tasks.map(({ mean, trials, missing, squares }) => {
    const all = trials + missing
    const known = mean ?? 0
    if (missing === 0) return { mean, trials, missing, squares }
    return {
      mean: (known * trials + value * missing) / all,
      trials: all,
      missing: 0,
      squares: squares + (trials * missing * (value - known) ** 2) / all,
    }
  })
}

function difference(a: number | null, b: number | null): number | null {
  return a === null || b === null ? null : a - b
}

/** A task that holds a large share of a total. */
export interface LargestTask {
  task: string
  share: number
}

/** Above this share of the total, one task dominates a mean. */
const large = 0.2

/** Returns the task with the largest value and its share of the sum if that is above 20%, else null. */
export function largestTask(tasks: readonly string[], values: readonly number[]): LargestTask | null {
  const total = values.reduce((sum, value) => sum + value, 0)
  const most = values.reduce((best, value, index) => (value > (values[best] as number) ? index : best), 0)
  const share = (values[most] ?? 0) / total
  return share > large && values.length > 1 ? { task: tasks[most] as string, share } : null
}
