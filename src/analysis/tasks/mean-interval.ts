import { type ComputeMargins, studentMargins } from '../numeric/margins.ts'
import { mean, standardError } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from './interval.ts'
import { countTrials, type TaskValue, taskMeans } from './task-value.ts'

/** Mean of independent values with its standard error and t interval. */
export interface MeanInterval extends Interval {
  se: number | null
  df: number
  refusal: Refusal | null
}

/** The same over tasks, with the tasks and trials that have a value and the trials that have none. */
export interface TaskMeanInterval extends MeanInterval {
  nTasks: number
  nTrials: number
  nMissing: number
}

/** A standard error of this share of the estimate or less is rounding, not variation. */
const noise = 1e-12

/** Mean of values, interval by Student's t with n - 1 degrees of freedom (R: t.test) by default. No limits of one value or of equal ones. */
export function meanInterval(
  values: readonly number[],
  confidence: number,
  computeMargins: ComputeMargins = studentMargins,
): MeanInterval {
  const estimate = mean(values)
  const df = Math.max(0, values.length - 1)
  const none = { estimate, se: null, df, lower: null, upper: null }
  if (estimate === null) return { ...none, refusal: 'no-task' }
  const se = standardError(values)
  if (se === null) return { ...none, refusal: 'one-task' }
  const scale = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  if (se <= noise * scale) return { ...none, se: 0, refusal: 'no-spread' }
  const { below, above } = computeMargins(values, confidence)
  return { estimate, se, df, lower: estimate - below, upper: estimate + above, refusal: null }
}

/**
 * Mean over tasks, each weighing the same whatever its number of epochs, with the interval for tasks like these: by
 * default t over task means. Not clipped to the outcome's range.
 */
export function taskMeanInterval(
  tasks: readonly TaskValue[],
  confidence: number,
  computeMargins: ComputeMargins = studentMargins,
): TaskMeanInterval {
  const means = taskMeans(tasks)
  return {
    ...meanInterval(means, confidence, computeMargins),
    nTasks: means.length,
    nTrials: countTrials(tasks),
    nMissing: tasks.reduce((sum, { missing }) => sum + missing, 0),
  }
}
