import type { PairComparison } from '../comparison.ts'
import type { IntervalMismatch } from '../pair-results.ts'

/** Returns how the printed interval of a pair and its word seem to contradict each other; null if they do not. */
export function intervalMismatch(
  { b, outcome, verdict }: Pick<PairComparison, 'b' | 'outcome' | 'verdict'>,
  margin: number | null,
): IntervalMismatch | null {
  const { lower, upper } = outcome
  if (verdict === null || lower === null || upper === null) return null
  const holdsZero = lower <= 0 && upper >= 0
  if (verdict.word === 'better') return holdsZero ? 'holds-zero' : null
  if (margin !== null) {
    const [below, above] = [lower <= -margin, upper >= margin]
    if (verdict.word === 'equivalent' && (below || above)) return 'exceeds-margin'
    if (verdict.word === 'not-worse' && (verdict.method === b ? above : below)) return 'exceeds-margin'
  }
  return holdsZero ? null : 'excludes-zero'
}
