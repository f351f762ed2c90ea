import { quantileOfSorted } from '../numeric/quantile.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'
import { positiveSums } from './positive-sums.ts'

/** Differences up to which all pairs are averaged. */
const mostValues = 1000

/**
 * Pseudomedian of differences: the median of the averages of all pairs, each with itself included, zeros kept; its
 * interval runs between the averages that the signed-rank distribution leaves in (Hodges and Lehmann 1963; R:
 * wilcox.test(conf.int = TRUE)). No interval of so few that not even the extremes reach the level (5 at 95%).
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

// The least sum of ranks that is reached with probability p (R: qsignrank).
function signedRankQuantile(n: number, p: number): number {
  const shares = positiveSums(Array.from({ length: n }, (_, index) => index + 1))
  let reached = 0
  return shares.findIndex((share) => {
    reached += share
    return reached >= p - 1e-15
  })
}
