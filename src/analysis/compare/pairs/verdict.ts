import type { OutcomeDifference, Verdict } from '../pair-results.ts'
import type { MarginTests } from './margin-tests.ts'

/** Input of a verdict. */
interface VerdictInput extends MarginTests {
  a: string
  b: string
  outcome: OutcomeDifference
  adjustedP: number | null
}

/**
 * Returns the verdict that a result allows. "Better" needs an adjusted p below alpha, "not worse" and "equivalent" need their
 * test against the margin; all else is "open", which does not mean "no difference". Missing trials that could
 * reverse the result prevent a claim.
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

/** Returns the verdict in words, the same in every table. `margin` is formatted text. */
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
      return 'open'
  }
}
