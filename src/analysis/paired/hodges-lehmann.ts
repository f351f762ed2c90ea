import { quantileOfSorted } from '../numeric/quantile.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'
import { positiveSums } from './positive-sums.ts'

/** All pairs are averaged up to this number of differences. */
const mostValues = 1000

/**
 * Computes the pseudomedian of differences: the median of the averages of all pairs, each value with itself included, zeros
 * kept. Its interval comes from the signed-rank distribution (Hodges and Lehmann 1963; R: wilcox.test(conf.int = TRUE)). No
 * interval if even the extremes do not reach the level (5 values at 95%).
 */
export function hodgesLehmann(
  values: readonly number[],
  confidence: number,
): Interval & { refusal: Refusal | null } {
  const n = values.length
  const none = { estimate: null, lower: null, upper: null }
  if (n === 0) return { ...none, refusal: 'no-task' }
  if (n > mostValues) return { ...none, refusal: 'too-many-values' }
  const averages = new Float64Array((n * (n + 1)) / 2)
  let place = 0
  for (let i = 0; i < n; i++)
    for (let j = i; j < n; j++) averages[place++] = ((values[i] as number) + (values[j] as number)) / 2
  averages.sort()
  const estimate = quantileOfSorted(averages, 0.5)
  if (2 ** (1 - n) > 1 - confidence) return { ...none, estimate, refusal: 'few-for-limits' }
  const outside = Math.max(1, signedRankQuantile(n, (1 - confidence) / 2))
  return {
    estimate,
    lower: averages[outside - 1] as number,
    upper: averages[averages.length - outside] as number,
    refusal: null,
  }
}

// The smallest sum of ranks whose cumulative probability reaches p (R: qsignrank).
function signedRankQuantile(n: number, p: number): number {
  const shares = positiveSums(Array.from({ length: n }, (_, index) => index + 1))
  let reached = 0
  return shares.findIndex((share) => {
    reached += share
    return reached >= p - 1e-15
  })
}
