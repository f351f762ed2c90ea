import { midranks, quantileOfSorted, roundOffNoise, tieSum } from '../numeric/moments.ts'
import { normalTail } from '../numeric/normal.ts'
import { coinDensity } from '../numeric/tails.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'

/** There is a pseudomedian up to this number of differences. */
const mostValues = 1000

/**
 * Computes the pseudomedian of differences: the median of the averages of all pairs, each value with itself included, zeros
 * kept. Its interval comes from the signed-rank distribution (Hodges and Lehmann 1963; R: wilcox.test(conf.int = TRUE)). No
 * interval if even the extremes do not reach the level (5 values at 95%). `outside` is `averagesOutside` of the number of values.
 */
export function hodgesLehmann(
  values: readonly number[],
  confidence: number,
  outside = averagesOutside(values.length, confidence),
): Interval & { refusal: Refusal | null } {
  const none = { estimate: null, lower: null, upper: null }
  if (values.length === 0) return { ...none, refusal: 'no-task' }
  if (values.length > mostValues) return { ...none, refusal: 'too-many-values' }
  const sorted = Float64Array.from(values).sort()
  const last = (values.length * (values.length + 1)) / 2 - 1
  const [below, above] = [Math.floor(last / 2), Math.ceil(last / 2)].map((place) => averageAt(sorted, place))
  const estimate = quantileOfSorted(Float64Array.of(below as number, above as number), 0.5)
  if (outside === null) return { ...none, estimate, refusal: 'few-for-limits' }
  const [lower, upper] = [averageAt(sorted, outside - 1), averageAt(sorted, last - outside + 1)]
  return { estimate, lower, upper, refusal: null }
}

/** Returns which averages of pairs of `n` values, from either end, are the limits; null if there are none. It takes long for many values. */
export function averagesOutside(n: number, confidence: number): number | null {
  if (2 ** (1 - n) > 1 - confidence || n > mostValues) return null
  return Math.max(1, signedRankQuantile(n, (1 - confidence) / 2))
}

/** Returns the average at a place, from 0, in the ascending order of the averages of all pairs; it lists none of them. */
function averageAt(sorted: Float64Array, place: number): number {
  const [least, most] = [sorted[0] as number, sorted[sorted.length - 1] as number]
  const noise = 1e-13 * Math.max(1, Math.abs(least), Math.abs(most))
  let [low, high] = [least - 1, most]
  while (high - low > noise) {
    const middle = (low + high) / 2
    if (averagesUpTo(sorted, middle).count > place) high = middle
    else low = middle
  }
  return averagesUpTo(sorted, low).next
}

function averagesUpTo(sorted: Float64Array, limit: number): { count: number; next: number } {
  const average = (i: number, j: number) => ((sorted[i] as number) + (sorted[j] as number)) / 2
  let [count, next, end] = [0, Number.POSITIVE_INFINITY, sorted.length]
  for (let i = 0; i < sorted.length && (sorted[i] as number) < next; i++) {
    while (end > 0 && average(i, end - 1) > limit) end--
    count += Math.max(0, end - i)
    const after = Math.max(i, end)
    if (after < sorted.length) next = Math.min(next, average(i, after))
  }
  return { count, next }
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
  const halves = ranks.map((rank) => 2 * rank)
  const total = (rank: number) => rank * halves.filter((other) => other === rank).length
  // Ranks that tie are one binomial number: the heaviest tie needs no step of its own for each.
  const heaviest = [...new Set(halves)].reduce((one, other) => (total(other) > total(one) ? other : one))
  const others = halves.filter((rank) => rank !== heaviest)
  const upTo = positiveSums(others)
  for (let sum = 1; sum < upTo.length; sum++) upTo[sum] = (upTo[sum] as number) + (upTo[sum - 1] as number)
  const tied = halves.length - others.length
  const most = halves.reduce((sum, rank) => sum + rank, 0)
  // The distribution is symmetric.
  const reach = Math.min(2 * v, most - 2 * v)
  let share = 0
  for (let positive = 0; positive <= tied && positive * heaviest <= reach; positive++) {
    const rest = Math.min(reach - positive * heaviest, upTo.length - 1)
    share += coinDensity(positive, tied) * (upTo[rest] as number)
  }
  return Math.min(1, 2 * share)
}

function approximateP(moved: readonly number[], v: number): number {
  const n = moved.length
  const squares = (n * (n + 1) * (2 * n + 1)) / 24 - tieSum(moved.map(Math.abs)) / 48
  const away = v - (n * (n + 1)) / 4
  return Math.min(1, 2 * normalTail((Math.abs(away) - Math.min(0.5, Math.abs(away))) / Math.sqrt(squares)))
}
