import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { counted } from '../words/numbers.ts'
import { pricesText, reportedText } from '../words/prices-text.ts'
import { groupByText } from './group-by-text.ts'

/** By what real models were billed, at which prices methods are compared, and what agents say otherwise. */
export function priceNotes(summary: Summary, prices: RunPrices | null): string[] {
  if (summary.simulated) return []
  const rows = summary.methods
  const compared = rows.some((row) => row.againstBaseline !== null)
  return [
    `Cost and bill: as billed, ${prices ? `by prices of ${pricesText(prices)}` : 'by no price list'}. List price: the same calls with nothing cached${compared ? ', which savings and comparisons go by, since what a cache happens to hold is no merit of a method' : ''}.`,
    ...groupByText(summary, rows, ({ unreported }) =>
      unreported.listCalls > 0
        ? `the list price of ${counted(unreported.listCalls, 'call')} is not known, so savings of cost leave out ${counted(unreported.listTrials, 'trial')}`
        : '',
    ),
    ...groupByText(summary, rows, ({ reported }) => (reported ? reportedText(reported) : '')),
  ]
}
