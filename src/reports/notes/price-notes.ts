import type { Summary } from '../../analysis/summary.ts'
import type { RunPrices } from '../../schema/agent/prices.ts'
import { counted } from '../words/numbers.ts'
import { pricesText, reportedText } from '../words/prices-text.ts'
import { groupByText } from './group-by-text.ts'

/** Says what the bill and list prices of real models are. */
export function priceTexts(summary: Summary, prices: RunPrices | null): string[] {
  if (summary.simulated) return []
  const compared = summary.methods.some((row) => row.againstBaseline !== null)
  return [
    `Cost and bill: as billed, ${prices ? `by prices of ${pricesText(prices)}` : 'without a price list'}. List price: the same calls with nothing cached${compared ? '; ratios and comparisons use it, because a cache hit is not an achievement of a method' : ''}.`,
  ]
}

/** Returns notes on prices of real models that are unknown, or that agents report themselves. */
export function priceNotes(summary: Summary): string[] {
  if (summary.simulated) return []
  const rows = summary.methods
  return [
    ...groupByText(summary, rows, ({ unreported }) =>
      unreported.listCalls > 0
        ? `the list price of ${counted(unreported.listCalls, 'call')} is unknown, so comparisons of cost leave out ${counted(unreported.listTrials, 'trial')}`
        : '',
    ),
    ...groupByText(summary, rows, ({ reported }) => (reported ? reportedText(reported) : '')),
  ]
}
