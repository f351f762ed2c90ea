import type { Comparison, MethodEstimates } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { formatInterval, nothing } from '../words/numbers.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { formatRefusal } from './result-text.ts'

/** Returns the columns of the table of spread: variation between and within tasks, pass@k and pass^k. */
export function spreadColumns(comparison: Comparison): ColumnOf<MethodEstimates>[] {
  const level = confidenceName(comparison)
  const of =
    (value: (row: MethodEstimates) => number | null, format: (value: number) => string) =>
    (row: MethodEstimates) => {
      const known = value(row)
      return known === null ? formatRefusal(row.variance.refusal) : format(known)
    }
  const points = (variance: number) => (100 * Math.sqrt(variance)).toFixed(1)
  return [
    labelColumn('method', 'method', (row) => row.label),
    simulatedColumn(comparison.simulated),
    textColumn(
      'between_text',
      ['between tasks', 'SD, points'],
      'spread',
      of(({ variance }) => variance.between, points),
    ),
    textColumn(
      'within_text',
      ['within tasks', 'SD, points'],
      'spread',
      of(({ variance }) => variance.within, points),
    ),
    textColumn(
      'icc_text',
      ['of it between', 'ICC, %'],
      'spread',
      of(
        ({ variance }) => variance.icc,
        (icc) => (100 * icc).toFixed(1),
      ),
    ),
    textColumn('some_text', ['some of k pass', `% [${level}]`], 'reliability', ({ reliability }) =>
      reliability ? `k=${reliability.k}: ${formatInterval(reliability.some)}` : nothing,
    ),
    textColumn('all_text', ['all of k pass', `% [${level}]`], 'reliability', ({ reliability }) =>
      reliability ? `k=${reliability.k}: ${formatInterval(reliability.all)}` : nothing,
    ),
    dataColumn('between', 'variance', ({ variance }) => variance.between),
    dataColumn('within', 'variance', ({ variance }) => variance.within),
    dataColumn('icc', 'share', ({ variance }) => variance.icc),
    dataColumn('design_effect', '', ({ variance }) => variance.designEffect),
    dataColumn('k', 'trials', ({ reliability }) => reliability?.k ?? null),
    dataColumn('pass_at_k', 'share', ({ reliability }) => reliability?.some.estimate ?? null),
    dataColumn('pass_hat_k', 'share', ({ reliability }) => reliability?.all.estimate ?? null),
  ]
}
