import type { Verdict } from '../../analysis/compare/pair-results.ts'

/** Returns the margin in percentage points as text. */
export function marginText(margin: number | null): string {
  return margin === null ? 'no margin' : `${Number((100 * margin).toFixed(4))} points`
}

/** Returns a verdict on a pair in words, the same in every table. `margin` is formatted text. */
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

/** Returns a verdict on a pair as seen from one side. */
export function verdictWord(verdict: Verdict, of: string): string {
  switch (verdict.word) {
    case 'better':
      return verdict.method === of ? 'better' : 'worse'
    case 'not-worse':
      return verdict.method === of ? 'not worse' : 'not better'
    case 'equivalent':
      return 'equivalent'
    case 'not-separated':
      return 'all equal'
    case 'too-few-tasks':
      return 'too few tasks'
    case 'not-established':
      return 'open'
  }
}

/** Words that have the p of the difference beside them where a table has no column for it. */
export const wordsWithP: ReadonlySet<string> = new Set(['better', 'worse', 'open'])
