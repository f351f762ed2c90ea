import type { Comparison, PairComparison, Spent } from '../../analysis/compare/comparison.ts'
import type { Ratio } from '../../analysis/ratios/ratio.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { ratioRange } from '../words/ratio-text.ts'
import { labelColumn, simulatedColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { appendReason, formatRefusal } from './result-text.ts'

/** Returns the columns of the table of spending: that of the first method of a pair relative to the second. */
export function spendingColumns(comparison: Comparison): ColumnOf<PairComparison>[] {
  const unit = `[${confidenceName(comparison)}]`
  const spending = (key: string, heading: string, spent: Spent) =>
    textColumn<PairComparison>(key, [heading, unit], 'spending', (pair) =>
      relativeText(pair.spent[spent].ratio),
    )
  return [
    labelColumn('pair', 'pair', pairName),
    simulatedColumn(comparison.simulated),
    spending('tokens_text', 'tokens', 'tokens'),
    spending('cost_text', comparison.simulated ? 'cost' : 'list price', 'costUsd'),
    spending('time_text', 'time', 'durationMs'),
    textColumn('success_price_text', ['cost per success', unit], 'spending', ({ costPerSuccess }) =>
      relativeText(costPerSuccess),
    ),
  ]
}

/** Formats a ratio with its limits, or why there is none. */
export function relativeText(ratio: Ratio): string {
  return ratio.ratio === null
    ? formatRefusal(ratio.refusal)
    : appendReason(ratioRange(ratio), ratio, ratio.refusal)
}
