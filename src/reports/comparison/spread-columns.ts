import type { Comparison, MethodEstimates } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { formatInterval, nothing } from '../words/numbers.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { formatRefusal } from './result-text.ts'

/** Returns the columns of the table of spread: variation between and within tasks, pass@k and pass^k. */
export function spreadColumns(comparison: Comparison): ColumnOf<MethodEstimates>[] {
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
    passColumn('some', comparison),
    passColumn('all', comparison),
    dataColumn('between', 'variance', ({ variance }) => variance.between),
    dataColumn('within', 'variance', ({ variance }) => variance.within),
    dataColumn('icc', 'share', ({ variance }) => variance.icc),
    dataColumn('design_effect', '', ({ variance }) => variance.designEffect),
    dataColumn('k', 'trials', ({ reliability }) => reliability?.k ?? null),
    dataColumn('pass_at_k', 'share', ({ reliability }) => reliability?.some.estimate ?? null),
    dataColumn('pass_hat_k', 'share', ({ reliability }) => reliability?.all.estimate ?? null),
  ]
}

/** Returns the column of pass@k or pass^k; k is in its heading, or in the cells if methods differ in it. */
function passColumn(which: 'some' | 'all', comparison: Comparison): ColumnOf<MethodEstimates> {
  const ks = new Set(comparison.methods.flatMap(({ reliability }) => reliability?.k ?? []))
  const [k] = ks
  const isOne = ks.size === 1
  return textColumn(
    `${which}_text`,
    [`${which} of ${isOne ? k : 'k'} pass`, `% [${confidenceName(comparison)}]`],
    'reliability',
    ({ reliability }) =>
      reliability ? `${isOne ? '' : `k=${reliability.k}: `}${formatInterval(reliability[which])}` : nothing,
  )
}
