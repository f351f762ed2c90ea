import type { MethodSummary, Summary } from '../../analysis/summary.ts'
import type { Table } from '../tables/table.ts'
import { methodName } from '../tables/task-columns.ts'
import { amountOf } from '../words/bill-text.ts'
import {
  formatAmount,
  formatCount,
  formatMs,
  formatSigned,
  nothing,
  counted as plural,
  unknown,
} from '../words/numbers.ts'
import { dollarFormat, dollarLimits, limitsText, percent } from './latex-cells.ts'
import { capital, limitsHeading, name, number } from './latex-headings.ts'
import type { LatexColumn } from './latex-table.ts'

type MethodColumn = LatexColumn<MethodSummary>

/** Returns the keys of the columns of the table of methods that are shown if none are chosen. */
export function usualMethodColumns({ methods }: Summary): string[] {
  const isCached = methods.some(({ cost, listCost }) => cost.perTrial.value !== listCost.perTrial.value)
  const partial = methods.some((row) => row.score !== null && row.score !== row.success.estimate)
  return [
    ...['method', 'success', ...(partial ? ['score'] : []), 'tokens', 'cost'],
    ...(isCached ? ['list_cost'] : []),
    'cost_per_success',
  ]
}

/** Returns all columns of the table of methods. */
export function methodColumns(summary: Summary): MethodColumn[] {
  const level = limitsHeading(summary)
  const perTrial = (
    key: string,
    [heading, unit]: readonly [string, string],
    of: (row: MethodSummary) => MethodSummary['cost']['perTrial'],
  ) => {
    const format = dollarFormat(summary.methods.map((row) => of(row).value))
    return {
      ...number(key, heading, unit),
      cell: (row) => formatAmount(of(row), format),
    } satisfies MethodColumn
  }
  const price = dollarFormat(
    summary.methods.flatMap(({ costPerSuccess: { estimate, lower } }) => [estimate, lower]),
  )
  const total = dollarFormat(summary.methods.map(({ cost }) => cost.total.value))
  const count = (key: string, unit: string, of: (row: MethodSummary) => number | null): MethodColumn => ({
    ...number(key, capital(key), unit),
    cell: (row) => counted(of(row)),
  })
  return [
    { ...name('method', 'Method'), cell: (row) => methodName(row, summary) },
    { ...number('passed', 'Passed', 'of graded'), cell: ({ trials }) => `${trials.passed}/${trials.graded}` },
    { ...number('success', 'Success', '%'), cell: ({ success }) => percent(success.estimate) },
    {
      ...number('success', level, ''),
      cell: ({ success }) => limitsText(success, { scale: 100, decimals: 1 }),
    },
    { ...number('score', 'Score', '%'), cell: ({ score }) => percent(score) },
    { ...number('success_difference', 'Diff.', 'points'), cell: differenceText },
    {
      ...number('tokens', 'Tokens', 'per trial'),
      cell: ({ tokens }) => formatAmount(tokens.total, formatCount),
    },
    perTrial('cost', ['USD per', 'trial'], ({ cost }) => cost.perTrial),
    perTrial('list_cost', ['List price', 'per trial'], ({ listCost }) => listCost.perTrial),
    { ...number('cost_total', 'Bill', 'USD'), cell: ({ cost }) => formatAmount(cost.total, total) },
    {
      ...number('cost_per_success', 'USD per', 'success'),
      cell: ({ costPerSuccess }) =>
        costPerSuccess.kind === 'zero-successes'
          ? `none in ${plural(costPerSuccess.trials, 'trial')}`
          : formatAmount(amountOf(costPerSuccess), price),
    },
    {
      ...number('cost_per_success', level, ''),
      optional: true,
      cell: ({ costPerSuccess }) => dollarLimits(costPerSuccess, price),
    },
    count('calls', 'per trial', ({ calls }) => calls),
    count('checks', 'per trial', ({ checks }) => checks),
    count('iterations', 'median', ({ iterations }) => iterations),
    {
      ...number('time', 'Time', summary.simulated ? 'simulated' : 'median'),
      cell: ({ clockMs }) => (clockMs === null ? unknown : formatMs(clockMs)),
    },
    count('missing', 'trials', ({ trials }) => trials.error + trials.cancelled + (trials.notRun ?? 0)),
  ]
}

function differenceText({ isBaseline, againstBaseline }: MethodSummary): string {
  if (!againstBaseline) return isBaseline ? 'baseline' : nothing
  const { points } = againstBaseline.success
  return points === null ? unknown : formatSigned(points)
}

/** Returns the columns of a table for people. What all its numbers are, such as simulated, is in its title. */
export function plainColumns({ columns }: Table): LatexColumn<Table['rows'][number]>[] {
  return columns
    .filter(({ audience, key }) => audience !== 'data' && key !== 'simulated' && key !== 'faults')
    .map(({ key, heading, unit, align }) => ({
      ...{ key, heading: capital(heading), unit },
      kind: align === 'left' ? 'name' : 'number',
      cell: (row) => row[key]?.text ?? '',
    }))
}

const counted = (value: number | null) => (value === null ? unknown : formatCount(value))
