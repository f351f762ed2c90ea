import { mean, variance } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { clopperPearsonInterval } from './binomial-intervals.ts'
import type { Interval } from './interval.ts'
import { countTrials, type TaskValue, taskMeans } from './task-value.ts'

/**
 * Computes the interval of a success rate over tasks with several epochs: Clopper-Pearson at the effective number of trials
 * (Korn and Graubard 1998; R: survey::svyciprop(method = 'beta')). That number is at most the number of trials. If task
 * means do not vary it is the number of tasks, so that 0% and 100% keep a width.
 */
export function clusteredProportion(
  tasks: readonly TaskValue[],
  confidence: number,
): Interval & { effectiveN: number | null } {
  const means = taskMeans(tasks)
  const estimate = mean(means)
  if (estimate === null) return { estimate, effectiveN: null, lower: 0, upper: 1 }
  const trials = countTrials(tasks)
  const tail = (1 - confidence) / 2
  const squaredError = (variance(means) ?? 0) / means.length
  const effectiveN =
    squaredError < 1e-24
      ? means.length
      : Math.min(
          trials,
          ((estimate * (1 - estimate)) / squaredError) *
            (studentQuantile(tail, trials - 1) / studentQuantile(tail, means.length - 1)) ** 2,
        )
  const { lower, upper } = clopperPearsonInterval(effectiveN * estimate, effectiveN, confidence)
  return {
    estimate,
    effectiveN,
    lower: Math.min(estimate, lower as number),
    upper: Math.max(estimate, upper as number),
  }
}
