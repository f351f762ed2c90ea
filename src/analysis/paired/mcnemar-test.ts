import { normalQuantile } from '../numeric/normal.ts'
import { chiSquaredTail, coinDensity, coinTail } from '../numeric/tails.ts'
import type { MajorityCounts } from './majorities.ts'

/** The tasks that only one of two methods solved, of `n` tasks. */
type Discordant = Pick<MajorityCounts, 'onlyA' | 'onlyB' | 'n'>

/**
 * Computes the score statistic of paired success rates A - B against `difference`, normal with variance 1 if that is the true
 * difference; with 0 it is McNemar's. Its variance uses the rates that are most likely under that difference, so it has a
 * width even where no task separates the methods. Source: Tango T. Stat Med 1998;17:891-908.
 */
export function tangoScore({ onlyA, onlyB, n }: Discordant, difference: number): number {
  const distance = onlyA - onlyB - n * difference
  if (distance === 0) return 0
  const b = (2 * n - onlyA + onlyB) * difference - onlyA - onlyB
  const c = -onlyB * difference * (1 - difference)
  const rate = (Math.sqrt(Math.max(0, b * b - 8 * n * c)) - b) / (4 * n)
  const spread = n * (2 * rate + difference * (1 - difference))
  return spread <= 0 ? Math.sign(distance) * Number.POSITIVE_INFINITY : distance / Math.sqrt(spread)
}

/** Returns the smallest difference A - B that the score test at the one-sided `level` does not reject. */
export function tangoLowerLimit(counts: Discordant, level: number): number {
  const critical = normalQuantile(1 - level)
  let [rejected, kept] = [-1, (counts.onlyA - counts.onlyB) / counts.n]
  for (let halving = 0; halving < 60; halving++) {
    const middle = (rejected + kept) / 2
    if (tangoScore(counts, middle) > critical) rejected = middle
    else kept = middle
  }
  return kept
}

/** p-values of McNemar's test, two-sided. */
interface McnemarTest {
  /** Binomial test of the discordant tasks; conservative. */
  pExact: number
  /** With half the probability of the observed split (Fagerland, Lydersen and Laake 2013): the recommended one. */
  pMidP: number
  /** Chi-squared without continuity correction, and its p; null without a discordant task. */
  chi2: number | null
  pAsymptotic: number | null
}

/** Tests two methods with one trial per task: `b` tasks that only A solved against `c` that only B solved. */
export function mcnemarTest(b: number, c: number): McnemarTest {
  const n = b + c
  // With 0 of 0 the formula of the mid-p gives 0.5, but no observation is no evidence.
  if (n === 0) return { pExact: 1, pMidP: 1, chi2: null, pAsymptotic: null }
  const chi2 = (b - c) ** 2 / n
  return { pExact: exactP(b, c), pMidP: midP(b, c), chi2, pAsymptotic: chiSquaredTail(chi2, 1) }
}

function exactP(b: number, c: number): number {
  return Math.min(1, 2 * coinTail(Math.min(b, c), b + c))
}

function midP(b: number, c: number): number {
  if (b === c) return 1 - coinDensity(b, b + c) / 2
  return Math.min(1, 2 * coinTail(Math.min(b, c), b + c) - coinDensity(Math.min(b, c), b + c))
}
