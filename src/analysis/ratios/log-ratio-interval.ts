import { meanOf, standardError } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { noRatio, type Ratio } from './ratio.ts'
import { ratioOfMeans } from './ratio-of-means.ts'

/**
 * Ratio of means of values paired by task, with the delta method's limits on its logarithm and t over tasks; narrower
 * than Fieller's where tasks are few and skewed, and then too narrow.
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

/** Standard error of log(mean x / mean y), both above 0: 0 where all tasks have the same ratio; null of one task. */
export function logRatioError(x: readonly number[], y: readonly number[]): number | null {
  const [meanX, meanY] = [meanOf(x), meanOf(y)]
  const se = standardError(x.map((value, index) => value / meanX - (y[index] as number) / meanY))
  // Rounding leaves a trace of spread where there is none; an interval of no width would claim certainty.
  return se !== null && se < 1e-12 ? 0 : se
}
