import { incompleteBeta } from '../numeric/beta.ts'
import { covariance, mean, meanOf, quantileOfSorted, standardError, variance } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { differenceTest } from '../paired/task-difference.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterSums } from '../tasks/clusters.ts'
import { exp } from '../tasks/mean-interval.ts'

/** A ratio A / B with its limits; null if there is none. */
export interface Ratio {
  ratio: number | null
  lower: number | null
  upper: number | null
  refusal: Refusal | null
}

/** Returns a ratio without a value, for this reason. */
export function noRatio(refusal: Refusal): Ratio {
  return { ratio: null, lower: null, upper: null, refusal }
}

/** Returns the mean of x over the mean of y; null for empty lists and if the mean of y is 0. */
export function ratioOfMeans(x: readonly number[], y: readonly number[]): number | null {
  const [above, below] = [mean(x), mean(y)]
  return above === null || below === null || below === 0 ? null : above / below
}

/**
 * Computes the ratio of means of values paired by task, with delta-method limits on its logarithm and t over tasks. With few
 * and skewed tasks it is narrower than Fieller's interval, and too narrow.
 */
export function logRatioInterval(x: readonly number[], y: readonly number[], confidence: number): Ratio {
  const ratio = ratioOfMeans(x, y)
  if (ratio === null) return noRatio(x.length === 0 ? 'no-task' : 'zero-baseline')
  if (ratio <= 0) return { ...noRatio('not-positive'), ratio }
  const se = logRatioError(x, y)
  if (se === null) return { ...noRatio('one-task'), ratio }
  if (se === 0) return { ...noRatio('no-spread'), ratio }
  const half = studentQuantile((1 + confidence) / 2, x.length - 1) * se
  return { ratio, lower: ratio * Math.exp(-half), upper: ratio * Math.exp(half), refusal: null }
}

/** Returns the standard error of log(mean x / mean y), both above 0: 0 if all tasks have the same ratio, null for one task. */
export function logRatioError(x: readonly number[], y: readonly number[]): number | null {
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  const se = standardError(x.map((value, index) => value / meanX - (y[index] as number) / meanY))
  // Rounding error is not spread; an interval without width would claim certainty.
  return se !== null && se < 1e-12 ? 0 : se
}

/**
 * Computes the geometric mean of x / y over tasks ("on the typical task") by a paired t test on logarithms, with its p. It
 * answers another question than the ratio of means, and may have another answer. Null with a value of 0 or less: adding 1
 * before the logarithm would invent data.
 */
export function geometricMeanRatio(
  x: readonly number[],
  y: readonly number[],
  confidence: number,
  clusters: Clusters | null = null,
): Ratio & { p: number | null } {
  if (x.length === 0) return { ...noRatio('no-task'), p: null }
  if ([...x, ...y].some((value) => value <= 0)) return { ...noRatio('not-positive'), p: null }
  const logs = x.map((value, index) => Math.log(value) - Math.log(y[index] as number))
  const { estimate, lower, upper, p, refusal } = differenceTest(clusterSums(logs, clusters), confidence)
  return { ratio: exp(estimate), lower: exp(lower), upper: exp(upper), p, refusal }
}

/**
 * Computes the median over tasks of x / y, with the interval between two order statistics that the sign test does not reject
 * (Thompson 1936; R: DescTools::MedianCI(method = 'exact')). Its coverage holds for any distribution, unlike that of a
 * bootstrapped median. No interval below six tasks, which cannot reach 95%.
 */
export function medianRatio(x: readonly number[], y: readonly number[], confidence: number): Ratio {
  if (x.length === 0) return noRatio('no-task')
  if (y.some((value) => value <= 0)) return noRatio('not-positive')
  const sorted = Float64Array.from(x, (value, index) => value / (y[index] as number)).sort()
  const ratio = quantileOfSorted(sorted, 0.5)
  const n = sorted.length
  const outside = deepestOutside(n, (1 - confidence) / 2)
  if (outside === 0) return { ...noRatio(n === 1 ? 'one-task' : 'few-for-limits'), ratio }
  const [lower, upper] = [sorted[outside - 1] as number, sorted[n - outside] as number]
  // Most tasks have the same ratio; an interval without width would claim certainty.
  if (lower === upper) return { ...noRatio('no-spread'), ratio }
  return { ratio, lower, upper, refusal: null }
}

/** Returns the greatest k for which the median is below the k-th smallest of n values with a chance of at most `tail`; 0: none. */
function deepestOutside(n: number, tail: number): number {
  let [k, beyond] = [0, Math.ceil(n / 2) + 1]
  while (beyond - k > 1) {
    const middle = Math.floor((k + beyond) / 2)
    // Below that one: fewer than so many of n fair coins show heads.
    if (incompleteBeta(0.5, n - middle + 1, middle) <= tail) k = middle
    else beyond = middle
  }
  return k
}

/** Converts a ratio to the baseline into percent saved, 100 (1 - ratio); the limits swap. Below 0 it costs more. */
export function percentSaved(
  ratio: number | null,
  lower: number | null,
  upper: number | null,
): { saved: number | null; lower: number | null; upper: number | null } {
  return { saved: saved(ratio), lower: saved(upper), upper: saved(lower) }
}

function saved(ratio: number | null): number | null {
  return ratio === null ? null : 100 - 100 * ratio
}

/** Kind of interval: `unbounded-above` has only a lower limit, `unbounded` has none. */
export type RatioKind = 'bounded' | 'unbounded-above' | 'unbounded' | 'not-estimable'

/**
 * Computes the ratio of means of values paired by task; its interval holds all ratios that a paired t test of x - ratio y
 * does not reject (Fieller 1954). x is the method, y the baseline; both are 0 or more. If the interval of the baseline's mean
 * includes 0, there is no upper limit, or no limit at all; if all tasks have the same ratio there is no interval.
 */
export function fiellerRatio(
  x: readonly number[],
  y: readonly number[],
  confidence: number,
): Ratio & { kind: RatioKind } {
  const ratio = ratioOfMeans(x, y)
  const none = { ratio, lower: null, upper: null, kind: 'not-estimable' } as const
  if (ratio === null) return { ...none, refusal: x.length === 0 ? 'no-task' : 'zero-baseline' }
  const n = x.length
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  const misfit = standardError(x.map((value, index) => value - ratio * (y[index] as number)))
  if (misfit === null) return { ...none, refusal: 'one-task' }
  if (misfit <= 1e-12 * Math.abs(meanX)) return { ...none, refusal: 'no-spread' }

  const t2 = studentQuantile((1 + confidence) / 2, n - 1) ** 2 / n
  const a = meanY ** 2 - t2 * (variance(y) as number)
  const b = meanX * meanY - t2 * (covariance(x, y) as number)
  const c = meanX ** 2 - t2 * (variance(x) as number)
  const root = Math.sqrt(Math.max(0, b * b - a * c))
  if (a > 0) return { ratio, lower: (b - root) / a, upper: (b + root) / a, kind: 'bounded', refusal: null }
  const open = { ratio, upper: null, refusal: 'unclear-denominator' } as const
  return c > 0
    ? { ...open, lower: (b - root) / a, kind: 'unbounded-above' }
    : { ...open, lower: null, kind: 'unbounded' }
}
