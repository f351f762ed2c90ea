import type { Summary } from '../../analysis/summary.ts'
import { methodName } from '../tables/task-columns.ts'
import { finishesText } from '../words/finish-text.ts'
import { counted } from '../words/numbers.ts'

/** Returns notes on replies that were cut off, refused, or no answer. */
export function finishNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) => {
    if (!row.replies) return []
    const text = finishesText(row.replies.finishes, row.replies.calls)
    return text === '' ? [] : [`${methodName(row, summary)}: ${text}.`]
  })
}

/** Returns notes on models that answered and were not asked for, by agent. */
export function otherModelNotes(summary: Summary): string[] {
  return summary.methods.flatMap((row) =>
    (row.replies?.otherModels ?? []).map(
      ({ agent, model, calls }) =>
        `${methodName(row, summary)}, ${agent}: ${calls} of ${counted(row.replies?.calls ?? calls, 'call')} of the method ${calls === 1 ? 'was' : 'were'} answered by ${model}, which was not asked for.`,
    ),
  )
}
