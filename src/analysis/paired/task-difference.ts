import { roundOffNoise } from '../numeric/ranks.ts'
import { studentP } from '../numeric/student.ts'
import { type MeanInterval, meanInterval } from '../tasks/mean-interval.ts'

/** Mean difference A - B over tasks, with t and its two-sided p. */
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
