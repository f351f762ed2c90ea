import { midranks, quantileOfSorted, roundOffNoise, tieSum } from '../numeric/moments.ts'
import { normalTail } from '../numeric/normal.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'

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

/**
 * Returns the probability of each sum of the numbers with a positive sign, if all sign patterns are equally likely; the index
 * is the sum. `sizes` are whole numbers above 0. Adds one number after the other (Pagano and Tritchler 1983). With the ranks
 * 1 to n it is the distribution of the signed-rank statistic (R: dsignrank).
 */
export function positiveSums(sizes: readonly number[]): Float64Array {
  const share = new Float64Array(sizes.reduce((sum, size) => sum + size, 0) + 1)
  share[0] = 1
  let reach = 0
  for (const size of sizes) {
    reach += size
    for (let sum = reach; sum >= size; sum--)
      share[sum] = ((share[sum] as number) + (share[sum - size] as number)) / 2
    for (let sum = size - 1; sum >= 0; sum--) share[sum] = (share[sum] as number) / 2
  }
  return share
}

/** Returns the sum of the shares from one index to another, both included. */
export function shareBetween(shares: Float64Array, from: number, to: number): number {
  let sum = 0
  for (let index = from; index <= to; index++) sum += shares[index] as number
  return sum
}

/** The exact p is computed up to this number of differences; above, the normal approximation is as good. */
const mostExactRanks = 500

/** Wilcoxon's signed-rank test, two-sided, of the pseudomedian (not the mean) of differences. */
export interface SignedRankTest {
  /** Sum of the ranks of the positive differences, and the number of non-zero differences. */
  v: number
  n: number
  /** Given the midranks, over all sign patterns (R: exactRankTests::wilcox.exact); null above `mostExactRanks`. */
  pExact: number | null
  /** Normal approximation with corrections for ties and continuity (R: wilcox.test(exact = FALSE)). */
  pNormal: number | null
  refusal: Refusal | null
}

/** Makes the test. Zeros are dropped, ties get their mean rank. */
export function wilcoxonSignedRank(values: readonly number[]): SignedRankTest {
  const moved = roundOffNoise(values).filter((value) => value !== 0)
  const n = moved.length
  if (n === 0) return { v: 0, n, pExact: 1, pNormal: null, refusal: 'not-separated' }
  const ranks = midranks(moved.map(Math.abs))
  const v = ranks.reduce((sum, rank, index) => sum + ((moved[index] as number) > 0 ? rank : 0), 0)
  const exact = n <= mostExactRanks
  return {
    v,
    n,
    pExact: exact ? exactP(ranks, v) : null,
    pNormal: approximateP(moved, v),
    refusal: exact ? null : 'too-many-values',
  }
}

function exactP(ranks: readonly number[], v: number): number {
  const shares = positiveSums(ranks.map((rank) => 2 * rank))
  const below = shareBetween(shares, 0, 2 * v)
  const above = shareBetween(shares, 2 * v, shares.length - 1)
  return Math.min(1, 2 * Math.min(below, above))
}

function approximateP(moved: readonly number[], v: number): number {
  const n = moved.length
  const squares = (n * (n + 1) * (2 * n + 1)) / 24 - tieSum(moved.map(Math.abs)) / 48
  const away = v - (n * (n + 1)) / 4
  return Math.min(1, 2 * normalTail((Math.abs(away) - Math.min(0.5, Math.abs(away))) / Math.sqrt(squares)))
}
