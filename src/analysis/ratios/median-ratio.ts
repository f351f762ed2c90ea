import { incompleteBeta } from '../numeric/beta.ts'
import { quantileOfSorted } from '../numeric/quantile.ts'
import { noRatio, type Ratio } from './ratio.ts'

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
  let k = 0
  // Below the k-th: fewer than k of n fair coins show heads.
  while (k < n / 2 && incompleteBeta(0.5, n - k, k + 1) <= tail) k++
  return k
}
