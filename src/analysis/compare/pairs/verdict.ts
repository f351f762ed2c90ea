import type { OutcomeDifference, Verdict } from '../comparison.ts'
import type { MarginTests } from './margin-tests.ts'

/** What is needed to put a pair's result into a word. */
interface VerdictInput extends MarginTests {
  a: string
  b: string
  outcome: OutcomeDifference
  adjustedP: number | null
}

/**
 * The word that a result allows. "Better" needs an adjusted p below alpha; the margin's words a margin's test; all else
 * is "not established", which is never "no difference". Missing trials that could turn the result allow no claim.
 */
export function verdictOf(
  { a, b, outcome, adjustedP, notWorse, equivalent }: VerdictInput,
  alpha: number,
): Verdict {
  if (outcome.claimP === null || adjustedP === null) return { word: 'too-few-tasks' }
  if (outcome.missing?.decides) return { word: 'not-established' }
  if (outcome.separated === 0) return { word: 'not-separated' }
  if (adjustedP < alpha) return { word: 'better', method: (outcome.estimate as number) > 0 ? a : b }
  if (equivalent.holds) return { word: 'equivalent' }
  if (notWorse.a.holds) return { word: 'not-worse', method: a }
  if (notWorse.b.holds) return { word: 'not-worse', method: b }
  return { word: 'not-established' }
}

/** The verdict in words, the same in every table. `margin` in the outcome's unit, already written out. */
export function verdictText(verdict: Verdict, margin: string): string {
  switch (verdict.word) {
    case 'better':
      return `${verdict.method} better`
    case 'not-worse':
      return `${verdict.method} not worse by more than ${margin}`
    case 'equivalent':
      return `equivalent within ${margin}`
    case 'not-separated':
      return 'no task separated them'
    case 'too-few-tasks':
      return 'too few tasks'
    case 'not-established':
      return 'not established'
  }
}
