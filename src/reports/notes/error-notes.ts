import type { Summary } from '../../analysis/summary.ts'
import { shorten } from '../../text/shorten.ts'
import { methodName } from '../tables/task-columns.ts'
import { counted } from '../words/numbers.ts'

/** Most characters of what a server said. */
const longestWords = 300

/** Returns a note for each reason why trials ended in error, with the words of the first of them. */
export function errorNotes(summary: Summary): string[] {
  const reasons = new Map<string, { trials: number; first: string; rows: string[] }>()
  for (const row of summary.methods)
    for (const { reason, trials, first } of row.errors ?? []) {
      if (first === '') continue
      const known = reasons.get(reason) ?? { trials: 0, first, rows: [] }
      known.trials += trials
      known.rows.push(`${methodName(row, summary)} ${trials}`)
      reasons.set(reason, known)
    }
  return [...reasons].map(([reason, { trials, first, rows }]) => {
    const name = reason === 'other' ? '' : ` (${reason})`
    return `${counted(trials, 'trial')} ended in error${name}: ${rows.join(', ')}. The first: ${shorten(first, longestWords)}`
  })
}
