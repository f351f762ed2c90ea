import type { Comparison, PairComparison, Spent } from '../../analysis/compare/comparison.ts'
import { percentSaved } from '../../analysis/ratios/percent-saved.ts'
import type { Ratio } from '../../analysis/ratios/ratio.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { nothing } from '../words/numbers.ts'
import { labelColumn, simulatedColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import {
  appendOneTask,
  appendReason,
  formatDifference,
  formatP,
  formatRefusal,
  formatSaved,
} from './result-text.ts'

/** One kind of spending of a pair. */
interface SpendingRow {
  pair: PairComparison
  what: 'tokens' | 'cost' | 'time' | 'cost per success'
  spent: Spent
}

const kinds: readonly Pick<SpendingRow, 'what' | 'spent'>[] = [
  { what: 'tokens', spent: 'tokens' },
  { what: 'cost', spent: 'costUsd' },
  { what: 'time', spent: 'durationMs' },
  { what: 'cost per success', spent: 'costUsd' },
]

/** Returns four rows per pair. */
export function spendingRows({ pairs }: Comparison): SpendingRow[] {
  return pairs.flatMap((pair) => kinds.map((kind) => ({ pair, ...kind })))
}

/** Returns the columns of the table of savings; each row has the success difference over the same tasks. */
export function spendingColumns(comparison: Comparison): ColumnOf<SpendingRow>[] {
  const tested = comparison.silence === null
  const level = confidenceName(comparison)
  const of = ({ pair, spent }: SpendingRow) => pair.spent[spent]
  return [
    labelColumn('pair', 'A - B', ({ pair }) => pairName(pair)),
    simulatedColumn(comparison.simulated),
    labelColumn('what', 'of', ({ what }) => what),
    textColumn('saved_text', ['A saves', `% of B's [${level}]`], 'spending', savedText),
    textColumn('success_text', ['success', 'A - B, points'], 'spending', (row) =>
      appendOneTask(formatDifference(of(row).success, { scale: 100, decimals: 1 }), of(row).success.nTasks),
    ),
    textColumn('tasks_text', ['tasks', 'paired'], 'spending', (row) =>
      String(row.what === 'cost per success' ? row.pair.costPerSuccess.nTasks : of(row).nTasks),
    ),
    textColumn('typical_text', ['typical task', `% [${level}]`], 'more', (row) =>
      row.what === 'cost per success'
        ? nothing
        : ratioText(row.what === 'time' ? of(row).median : of(row).typical),
    ),
    ...(tested
      ? [
          textColumn('p_text', ['p', 'exploratory'], 'more', (row: SpendingRow) => {
            if (row.what === 'cost per success') return nothing
            const { exploratoryP, refusal } = of(row)
            return exploratoryP === null ? formatRefusal(refusal) : formatP(exploratoryP)
          }),
          textColumn('claim_text', ['at equal success', 'saves'], 'more', (row: SpendingRow) =>
            row.what === 'cost per success' ? nothing : (of(row).atEqualSuccess ?? 'not established'),
          ),
        ]
      : []),
  ]
}

function savedText(row: SpendingRow): string {
  if (row.what === 'cost per success') return ratioText(row.pair.costPerSuccess)
  const { saved, ratio } = row.pair.spent[row.spent]
  if (saved.saved === null) return formatRefusal(ratio.refusal)
  return appendReason(formatSaved(saved), saved, ratio.refusal)
}

function ratioText({ ratio, lower, upper, refusal }: Ratio): string {
  const saved = percentSaved(ratio, lower, upper)
  return saved.saved === null ? formatRefusal(refusal) : appendReason(formatSaved(saved), saved, refusal)
}
