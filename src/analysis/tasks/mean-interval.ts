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

/** The same over tasks, with the numbers of tasks and trials with a value and of missing trials. */
export interface TaskMeanInterval extends MeanInterval {
  nTasks: number
  nTrials: number
  nMissing: number
}

/** A standard error up to this share of the values is rounding error. */
const noise = 1e-12

/** Computes a mean with its interval, by default Student's t with n - 1 degrees of freedom (R: t.test). No limits for one value or equal values. */
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
 * Computes the mean over tasks, with equal weights whatever their number of epochs, and its interval: by default t over task
 * means. Limits are not clipped to the outcome's range.
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
