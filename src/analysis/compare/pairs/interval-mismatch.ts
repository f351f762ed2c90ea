import type { PairComparison } from '../comparison.ts'
import type { IntervalMismatch } from '../pair-results.ts'

/** Returns how the printed interval of a pair and its word seem to contradict each other; null if they do not. */
export function intervalMismatch(
  { b, outcome, verdict, equivalent }: Pick<PairComparison, 'b' | 'outcome' | 'verdict' | 'equivalent'>,
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
  if (!holdsZero) return 'excludes-zero'
  const isInside = margin !== null && lower > -margin && upper < margin
  const isGuarded = equivalent.guard?.holds === false && !outcome.missing?.decides
  const isOpen = verdict.word === 'not-established' || verdict.word === 'not-worse'
  return isInside && isGuarded && isOpen ? 'inside-margin' : null
}
