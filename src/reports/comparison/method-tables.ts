import type { Comparison, Frontier, MethodEstimates } from '../../analysis/compare/comparison.ts'
import { paperEstimate, paperNumber, paperWords } from '../tables/paper-columns.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatShare,
  formatUsd,
  nothing,
  unknown,
} from '../words/numbers.ts'
import { confidenceName, formatRefusal } from '../words/result-text.ts'

type Point = Frontier['points'][number]

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
export function frontierColumns({ outcome, ...kind }: Comparison): ColumnOf<FrontierRow>[] {
  return [
    labelColumn('method', 'method', (row) => row.label),
    simulatedColumn(kind),
    textColumn('success_text', [outcome, '%'], 'tokens', ({ tokens: { success } }) => share(success)),
    textColumn('tokens_text', ['tokens', '/trial'], 'tokens', ({ tokens: { spent } }) =>
      spent === null ? unknown : formatCount(spent),
    ),
    textColumn('tokens_frontier_text', ['frontier', 'success, tokens'], 'tokens', ({ tokens }) =>
      place(tokens),
    ),
    textColumn(
      'cost_text',
      [kind.simulated ? 'cost' : 'list price', '/trial'],
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
  return `${word ?? 'in'} ${word ? '(' : ''}${formatPercent(membership)}${word ? ')' : ''}`
}

/** Returns the columns of the table of spread: variation between and within tasks, pass@k and pass^k. */
export function spreadColumns(comparison: Comparison): ColumnOf<MethodEstimates>[] {
  const spread = (
    key: 'between' | 'within' | 'icc',
    heading: readonly [string, string],
    paper: readonly [string, string],
    format: (value: number) => string,
  ) => {
    const text = ({ variance: { [key]: value, refusal } }: MethodEstimates) =>
      value === null ? formatRefusal(refusal) : format(value)
    return textColumn(`${key}_text`, heading, 'spread', text, [paperNumber(key, paper, text)])
  }
  const points = (variance: number) => (100 * Math.sqrt(variance)).toFixed(1)
  return [
    labelColumn('method', 'method', ({ label }) => label, [
      paperWords('method', 'Method', ({ label }) => label, 'name'),
    ]),
    simulatedColumn(comparison),
    spread('between', ['between tasks', 'SD, points'], ['Between', 'tasks, SD'], points),
    spread('within', ['within tasks', 'SD, points'], ['Within', 'tasks, SD'], points),
    spread('icc', ['of it between', 'ICC, %'], ['ICC', '%'], (icc) => (100 * icc).toFixed(1)),
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
  const level = confidenceName(comparison)
  const ks = new Set(comparison.methods.flatMap(({ reliability }) => reliability?.k ?? []))
  const isOne = ks.size === 1
  const k = isOne ? String([...ks][0]) : 'k'
  const name = `pass${which === 'some' ? '@' : '^'}${k}`
  return textColumn(
    `${which}_text`,
    [`${which} of ${k} pass`, `% [${level}]`],
    'reliability',
    ({ reliability }) =>
      reliability ? `${isOne ? '' : `k=${reliability.k}: `}${formatInterval(reliability[which])}` : nothing,
    ks.size === 0
      ? []
      : paperEstimate(
          name,
          [name, '%', `${level} limits`],
          ({ reliability }) => reliability?.[which] ?? null,
        ),
  )
}
