import { normalTail } from '../numeric/normal.ts'
import { midranks, roundOffNoise, tieSum } from '../numeric/ranks.ts'
import type { Refusal } from '../refusal.ts'
import { positiveSums, shareBetween } from './positive-sums.ts'

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
