import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { counted } from '../words/numbers.ts'
import { pricesText, reportedText } from '../words/prices-text.ts'
import { groupByText } from './group-by-text.ts'

/** Returns notes on the prices of real models: of the bill, of comparisons, and as agents report them. */
export function priceNotes(summary: Summary, prices: RunPrices | null): string[] {
  if (summary.simulated) return []
  const rows = summary.methods
  const compared = rows.some((row) => row.againstBaseline !== null)
  return [
    `Cost and bill: as billed, ${prices ? `by prices of ${pricesText(prices)}` : 'without a price list'}. List price: the same calls with nothing cached${compared ? '; savings and comparisons use it, because a cache hit is not an achievement of a method' : ''}.`,
    ...groupByText(summary, rows, ({ unreported }) =>
      unreported.listCalls > 0
        ? `the list price of ${counted(unreported.listCalls, 'call')} is unknown, so savings of cost leave out ${counted(unreported.listTrials, 'trial')}`
        : '',
    ),
    ...groupByText(summary, rows, ({ reported }) => (reported ? reportedText(reported) : '')),
  ]
}
