import { type ComputeMargins, studentMargins } from '../numeric/margins.ts'
import { mean, meanOf, standardError, variance } from '../numeric/moments.ts'
import { studentP, studentQuantile } from '../numeric/student.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterSums } from './clusters.ts'
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
 * means, or over clusters of tasks. Limits are not clipped to the outcome's range.
 */
export function taskMeanInterval(
  tasks: readonly TaskValue[],
  confidence: number,
  computeMargins: ComputeMargins = studentMargins,
  clusters: Clusters | null = null,
): TaskMeanInterval {
  const means = taskMeans(tasks)
  const groups = clusters?.filter((_, index) => tasks[index]?.mean !== null) ?? null
  return {
    ...meanInterval(clusterSums(means, groups), confidence, computeMargins),
    nTasks: means.length,
    nTrials: countTrials(tasks),
    nMissing: tasks.reduce((sum, { missing }) => sum + missing, 0),
  }
}

/** Computes the geometric mean with the interval of a t test on logarithms (R: exp(t.test(log x))). Needs values above 0. */
export function geometricMean(
  values: readonly number[],
  confidence: number,
  clusters: Clusters | null = null,
): Interval & { refusal: Refusal | null } {
  if (values.some((value) => value <= 0))
    return { estimate: null, lower: null, upper: null, refusal: 'not-positive' }
  const { estimate, lower, upper, refusal } = meanInterval(
    clusterSums(values.map(Math.log), clusters),
    confidence,
  )
  return { estimate: exp(estimate), lower: exp(lower), upper: exp(upper), refusal }
}

/** Returns e to the power of a value; null of null. */
export function exp(value: number | null): number | null {
  return value === null ? null : Math.exp(value)
}

interface GroupDifference extends Interval {
  se: number | null
  df: number | null
  p: number | null
  refusal: Refusal | null
}

/**
 * Computes the mean of `higher` minus that of `lower`, two groups of tasks, with Welch's interval and test, which do not assume equal
 * variances (Welch 1947; R: t.test). No limits and no p where a group has fewer than two tasks or no group varies.
 */
export function groupDifference(
  lower: readonly number[],
  higher: readonly number[],
  confidence: number,
): GroupDifference {
  const none = { se: null, df: null, lower: null, upper: null, p: null }
  if (lower.length === 0 || higher.length === 0) return { estimate: null, ...none, refusal: 'no-task' }
  const estimate = meanOf(higher) - meanOf(lower)
  const parts = [lower, higher].map((values) => {
    const squares = variance(values)
    return squares === null ? null : { share: squares / values.length, df: values.length - 1 }
  })
  const [low, high] = parts
  if (!low || !high) return { estimate, ...none, refusal: 'one-task' }
  const scale = [...lower, ...higher].reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const se = Math.sqrt(low.share + high.share)
  if (se <= noise * scale) return { estimate, ...none, se: 0, refusal: 'no-spread' }
  const df = (low.share + high.share) ** 2 / (low.share ** 2 / low.df + high.share ** 2 / high.df)
  const margin = studentQuantile(1 - (1 - confidence) / 2, df) * se
  return {
    ...{ estimate, se, df, refusal: null },
    lower: estimate - margin,
    upper: estimate + margin,
    p: studentP(estimate / se, df),
  }
}

/** A mean over trials and its standard errors. */
export interface ClusteredMean {
  mean: number | null
  se: number | null
  seNaive: number | null
  nClusters: number
  refusal: Refusal | null
}

/**
 * Computes the mean over trials (equal weights) with its standard error clustered by task: CR1 with the factor C / (C - 1)
 * (Miller 2024; R: sandwich::vcovCL(type = 'HC1')). `seNaive` treats the trials as independent, for comparison.
 */
export function clusteredStandardError(tasks: readonly TaskValue[]): ClusteredMean {
  const clusters = tasks.flatMap(({ mean, trials, squares }) =>
    mean === null ? [] : [{ mean, trials, squares }],
  )
  const nClusters = clusters.length
  const trials = countTrials(tasks)
  const none = { mean: null, se: null, seNaive: null, nClusters }
  if (nClusters === 0) return { ...none, refusal: 'no-task' }
  const sum = (of: (task: (typeof clusters)[number]) => number) =>
    clusters.reduce((total, task) => total + of(task), 0)
  const centre = sum((task) => task.trials * task.mean) / trials
  const spread = sum((task) => task.squares + task.trials * (task.mean - centre) ** 2)
  const seNaive = trials < 2 ? null : Math.sqrt(spread / (trials - 1) / trials)
  if (nClusters === 1) return { ...none, mean: centre, seNaive, refusal: 'one-task' }
  const residuals = sum((task) => (task.trials * (task.mean - centre)) ** 2)
  const se = Math.sqrt((residuals * nClusters) / (nClusters - 1)) / trials
  return { mean: centre, se, seNaive, nClusters, refusal: null }
}
