import { covariance, meanOf, standardError, variance } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import type { Ratio } from './ratio.ts'
import { ratioOfMeans } from './ratio-of-means.ts'

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
