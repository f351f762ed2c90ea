import type { Comparison, Frontier } from '../../analysis/compare/comparison.ts'
import type { ColumnOf } from '../tables/table.ts'
import { formatCount, formatShare, formatUsd, unknown } from '../words/numbers.ts'
import { data, label, people, simulatedColumn } from './column.ts'

type Point = Frontier['points'][number]

/** One method on both frontiers. */
interface FrontierRow {
  label: string
  tokens: Point
  costUsd: Point
}

/** One row a method. */
export function frontierRows({ frontiers, methods }: Comparison): FrontierRow[] {
  const point = (spent: 'tokens' | 'costUsd', name: string) =>
    frontiers[spent].points.find(({ label }) => label === name) as Point
  return methods.map(({ label }) => ({
    label,
    tokens: point('tokens', label),
    costUsd: point('costUsd', label),
  }))
}

/** The columns of the table of frontiers. */
export function frontierColumns({ simulated, outcome }: Comparison): ColumnOf<FrontierRow>[] {
  return [
    label('method', 'method', (row) => row.label),
    simulatedColumn(simulated),
    people('success_text', [outcome, '%'], 'tokens', ({ tokens: { success } }) => share(success)),
    people('tokens_text', ['tokens', '/trial'], 'tokens', ({ tokens: { spent } }) =>
      spent === null ? unknown : formatCount(spent),
    ),
    people('tokens_frontier_text', ['frontier', 'success, tokens'], 'tokens', ({ tokens }) => place(tokens)),
    people('cost_text', [simulated ? 'cost' : 'list price', '/trial'], 'cost', ({ costUsd: { spent } }) =>
      spent === null ? unknown : formatUsd(spent),
    ),
    people('cost_frontier_text', ['frontier', 'success, cost'], 'cost', ({ costUsd }) => place(costUsd)),
    ...(['tokens', 'costUsd'] as const).flatMap((spent): ColumnOf<FrontierRow>[] => [
      data(`${spent}_success`, 'share', (row) => row[spent].success),
      data(`${spent}_spent`, 'mean over tasks', (row) => row[spent].spent),
      data(`${spent}_on_frontier`, '', (row) => row[spent].onFrontier),
      data(`${spent}_membership`, 'share of resamples', (row) => row[spent].membership),
    ]),
  ]
}

const share = (value: number | null) => (value === null ? unknown : formatShare(value))

/** `on (97.3% of resamples)`; the word only where one is allowed. */
function place({ onFrontier, membership, word }: Point): string {
  if (onFrontier === null) return 'not placed'
  if (membership === null) return `${onFrontier ? 'on it' : 'off it'}, no resamples`
  return `${word ?? 'in'} ${word ? '(' : ''}${formatShare(membership)}%${word ? ')' : ''}`
}
