import { incompleteBeta } from '../numeric/beta.ts'
import { quantileOfSorted } from '../numeric/quantile.ts'
import { noRatio, type Ratio } from './ratio.ts'

/**
 * Median over tasks of x / y, with the percentile interval of a bootstrap over tasks: not by resampling, but by the
 * median's exact bootstrap distribution, which is binomial (Maritz and Jarrett 1978). For an even number of tasks the
 * limits are those of the lower and of the upper middle value, which is a little wider. No limits of one task.
 */
export function medianRatio(x: readonly number[], y: readonly number[], confidence: number): Ratio {
  if (x.length === 0) return noRatio('no-task')
  if (y.some((value) => value <= 0)) return noRatio('not-positive')
  const sorted = Float64Array.from(x, (value, index) => value / (y[index] as number)).sort()
  const ratio = quantileOfSorted(sorted, 0.5)
  const n = sorted.length
  if (n === 1) return { ...noRatio('one-task'), ratio }
  const tail = (1 - confidence) / 2
  const lower = sorted.find((_, index) => middleAtMost(index + 1, n, Math.ceil(n / 2)) >= tail)
  const upper = sorted.find((_, index) => middleAtMost(index + 1, n, Math.floor(n / 2) + 1) >= 1 - tail)
  // Most tasks have the same ratio; an interval of no width would claim certainty.
  if (lower === undefined || upper === undefined || lower === upper) return { ...noRatio('no-spread'), ratio }
  return { ratio, lower, upper, refusal: null }
}

// Chance that the value at place `middle` of a resample is at most the sample's k-th: that many draws are.
function middleAtMost(k: number, n: number, middle: number): number {
  return incompleteBeta(k / n, middle, n - middle + 1)
}
