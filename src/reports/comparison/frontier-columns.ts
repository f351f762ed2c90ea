import type { Comparison, Frontier } from '../../analysis/compare/comparison.ts'
import type { ColumnOf } from '../tables/table.ts'
import { formatCount, formatShare, formatUsd, unknown } from '../words/numbers.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'

type Point = Frontier['points'][number]

/** One method on both frontiers. */
interface FrontierRow {
  label: string
  tokens: Point
  costUsd: Point
}

/** Returns one row per method. */
export function frontierRows({ frontiers, methods }: Comparison): FrontierRow[] {
  const point = (spent: 'tokens' | 'costUsd', name: string) =>
    frontiers[spent].points.find(({ label }) => label === name) as Point
  return methods.map(({ label }) => ({
    label,
    tokens: point('tokens', label),
    costUsd: point('costUsd', label),
  }))
}

/** Returns the columns of the table of frontiers. */
export function frontierColumns({ simulated, outcome }: Comparison): ColumnOf<FrontierRow>[] {
  return [
    labelColumn('method', 'method', (row) => row.label),
    simulatedColumn(simulated),
    textColumn('success_text', [outcome, '%'], 'tokens', ({ tokens: { success } }) => share(success)),
    textColumn('tokens_text', ['tokens', '/trial'], 'tokens', ({ tokens: { spent } }) =>
      spent === null ? unknown : formatCount(spent),
    ),
    textColumn('tokens_frontier_text', ['frontier', 'success, tokens'], 'tokens', ({ tokens }) =>
      place(tokens),
    ),
    textColumn(
      'cost_text',
      [simulated ? 'cost' : 'list price', '/trial'],
      'cost',
      ({ costUsd: { spent } }) => (spent === null ? unknown : formatUsd(spent)),
    ),
    textColumn('cost_frontier_text', ['frontier', 'success, cost'], 'cost', ({ costUsd }) => place(costUsd)),
    ...(['tokens', 'costUsd'] as const).flatMap((spent): ColumnOf<FrontierRow>[] => [
      dataColumn(`${spent}_success`, 'share', (row) => row[spent].success),
      dataColumn(`${spent}_spent`, 'mean over tasks', (row) => row[spent].spent),
      dataColumn(`${spent}_on_frontier`, '', (row) => row[spent].onFrontier),
      dataColumn(`${spent}_membership`, 'share of resamples', (row) => row[spent].membership),
    ]),
  ]
}

const share = (value: number | null) => (value === null ? unknown : formatShare(value))

/** Returns `on (97.3%)`, or `in 97.3%` where no verdict is allowed. */
function place({ onFrontier, membership, word }: Point): string {
  if (onFrontier === null) return 'not placed'
  if (membership === null) return `${onFrontier ? 'on it' : 'off it'}, no resamples`
  return `${word ?? 'in'} ${word ? '(' : ''}${formatShare(membership)}%${word ? ')' : ''}`
}
