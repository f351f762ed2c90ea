import { normalQuantile } from '../numeric/normal.ts'
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
