import { roundOffNoise } from '../numeric/ranks.ts'
import { studentP } from '../numeric/student.ts'
import { type MeanInterval, meanInterval } from '../tasks/mean-interval.ts'

/** Mean difference A - B over tasks, with t and its two-sided p. */
export interface TaskDifference extends MeanInterval {
  t: number | null
  p: number | null
  nTasks: number
}

/**
 * Task-level paired t test and interval of task differences (R: t.test(paired = TRUE) on task means): would A beat B on
 * tasks like these? No limits and no p of one task or of equal differences.
 */
export function differenceTest(values: readonly number[], confidence: number): TaskDifference {
  const interval = meanInterval(values, confidence)
  const t =
    interval.refusal === null && interval.estimate !== null && interval.se !== null
      ? interval.estimate / interval.se
      : null
  return { ...interval, t, p: t === null ? null : studentP(t, interval.df), nTasks: values.length }
}

/** a - b, task by task, equal ones exactly 0. */
export function differences(a: readonly number[], b: readonly number[]): number[] {
  return roundOffNoise(a.map((value, index) => value - (b[index] as number)))
}
