import { meanOf, standardError } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { noRatio, type Ratio } from './ratio.ts'
import { ratioOfMeans } from './ratio-of-means.ts'

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
