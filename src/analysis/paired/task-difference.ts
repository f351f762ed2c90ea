import { mean, roundOffNoise } from '../numeric/moments.ts'
import { studentP } from '../numeric/student.ts'
import type { Refusal } from '../refusal.ts'
import { type MeanInterval, meanInterval } from '../tasks/mean-interval.ts'
import type { TaskValue } from '../tasks/task-value.ts'
import { pooledWithinVariance } from '../tasks/variance-components.ts'

/**
 * Computes the standard error of A - B if the same tasks were run again: noise within tasks only, its variance pooled over
 * tasks. It says nothing about other tasks, and reports must say so. Null if a method has no task with two epochs.
 */
export function rerunStandardError(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
): { estimate: number | null; se: number | null; nTasks: number; refusal: Refusal | null } {
  const isKnown = (task: TaskValue | undefined) => task !== undefined && task.trials > 0
  const both = [...a.keys()].filter((index) => isKnown(a[index]) && isKnown(b[index]))
  const [ours, theirs] = [a, b].map((of) => both.map((index) => of[index] as TaskValue)) as [
    TaskValue[],
    TaskValue[],
  ]
  const nTasks = both.length
  const estimate = mean(ours.map((task, at) => (task.mean as number) - (theirs[at]?.mean as number)))
  if (nTasks === 0) return { estimate, se: null, nTasks, refusal: 'no-task' }
  const [withinA, withinB] = [pooledWithinVariance(ours), pooledWithinVariance(theirs)]
  if (withinA === null || withinB === null) return { estimate, se: null, nTasks, refusal: 'one-epoch' }
  const sum = both.reduce(
    (total, _, at) =>
      total + withinA / (ours[at] as TaskValue).trials + withinB / (theirs[at] as TaskValue).trials,
    0,
  )
  return { estimate, se: Math.sqrt(sum) / nTasks, nTasks, refusal: null }
}

interface TaskDifference extends MeanInterval {
  t: number | null
  p: number | null
  nTasks: number
}

/**
 * Computes the paired t test and interval of task differences (R: t.test(paired = TRUE) on task means). No limits and no p
 * for one task or equal differences.
 */
export function differenceTest(values: readonly number[], confidence: number): TaskDifference {
  const interval = meanInterval(values, confidence)
  const t =
    interval.refusal === null && interval.estimate !== null && interval.se !== null
      ? interval.estimate / interval.se
      : null
  return { ...interval, t, p: t === null ? null : studentP(t, interval.df), nTasks: values.length }
}

/** Returns a - b, task by task; equal values give exactly 0. */
export function differences(a: readonly number[], b: readonly number[]): number[] {
  return roundOffNoise(a.map((value, index) => value - (b[index] as number)))
}
