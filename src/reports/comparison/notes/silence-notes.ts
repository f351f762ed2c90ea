import type { Comparison } from '../../../analysis/compare/comparison.ts'
import { refusalText } from '../result-text.ts'

/** Returns a note on why no pair has a p; empty if pairs are tested, or if a stop rule replaces the tests. */
export function silenceNotes({ silence }: Comparison, { looks }: { looks: readonly number[] }): string[] {
  if (silence === null || silence === 'stop-rule') return []
  if (silence === 'simulated')
    return ['No p and no verdict: a test of simulated numbers would test the profile, not the methods.']
  const when = silence === 'looked' && looks.length > 0 ? ` (looks at ${looks.join(', ')} records)` : ''
  return [`No p: ${refusalText(silence)}${when}.`]
}
