import type { Comparison, PairComparison, Spent } from '../../analysis/compare/comparison.ts'
import type { Confounding } from '../../analysis/compare/tools.ts'
import { type ColumnOf, dataColumn } from '../tables/table.ts'
import { claimTestOf } from '../words/result-text.ts'

type PairColumn = ColumnOf<PairComparison>

/** Returns `the first asks X, Y; the second asks X`. */
export const confoundedText = ({ a, b }: Confounding): string =>
  `the first asks ${a.join(', ') || 'nobody'}; the second asks ${b.join(', ') || 'nobody'}`

/** Returns the columns of pairs for programs: raw values. `size` is the number of tests of the family. */
export function pairDataColumns(comparison: Comparison, size: number): PairColumn[] {
  return [
    dataColumn('a', '', ({ a }) => a),
    dataColumn('b', '', ({ b }) => b),
    dataColumn('outcome', '', () => comparison.outcome),
    dataColumn('confidence', 'share', () => comparison.confidence),
    dataColumn('tasks', '', ({ outcome }) => outcome.nTasks),
    dataColumn('tasks_dropped', '', ({ outcome }) => outcome.nDropped),
    dataColumn('tasks_separated', '', ({ outcome }) => outcome.separated),
    dataColumn('difference', 'share', ({ outcome }) => outcome.estimate),
    dataColumn('difference_lower', 'share', ({ outcome }) => outcome.lower),
    dataColumn('difference_upper', 'share', ({ outcome }) => outcome.upper),
    dataColumn('interval', '', ({ outcome }) => outcome.interval),
    dataColumn('se', 'share', ({ outcome }) => outcome.se),
    dataColumn('rerun_se', 'share, these tasks only', ({ outcome }) => outcome.rerunSe),
    dataColumn('test', '', ({ outcome }) => outcome.test),
    dataColumn('p', 'two-sided', ({ outcome }) => outcome.p),
    dataColumn('p_exact', 'two-sided', ({ outcome }) => outcome.exactP),
    dataColumn('p_claim', 'two-sided, before adjustment', ({ outcome }) => outcome.claimP),
    dataColumn('p_claim_test', '', ({ outcome }) => claimTestOf(outcome)),
    dataColumn('p_adjusted', comparison.stop ? 'at any look, times m' : 'Holm', ({ adjustedP }) => adjustedP),
    dataColumn('family', 'tests', () => size),
    dataColumn('no_p_because', '', ({ outcome }) => outcome.refusal),
    dataColumn('verdict', '', ({ verdict }) => verdict?.word ?? null),
    dataColumn('verdict_method', '', ({ verdict }) =>
      verdict && 'method' in verdict ? verdict.method : null,
    ),
    dataColumn('margin', 'share', () => comparison.margin),
    dataColumn('not_worse_p_a', 'Holm', ({ notWorse }) => notWorse.a.adjustedP),
    dataColumn('not_worse_p_b', 'Holm', ({ notWorse }) => notWorse.b.adjustedP),
    dataColumn('equivalent_p', 'Holm', ({ equivalent }) => equivalent.adjustedP),
    dataColumn('detectable', 'share, power 0.8, in the family', ({ planning }) => planning.mdeInFamily),
    dataColumn('within_share', 'share of variance', ({ planning }) => planning.withinShare),
    dataColumn('advice', '', ({ planning }) => planning.advice),
    dataColumn('a_wins', 'share of tasks, ties half', ({ outcome }) => outcome.effect.pSuperiority),
    dataColumn('confounded', '', ({ confounded }) => confounded && confoundedText(confounded)),
    ...(comparison.pairs.some(({ mixes }) => mixes)
      ? [dataColumn('mixes', '', ({ mixes }: PairComparison) => (mixes ? confoundedText(mixes) : null))]
      : []),
    ...(comparison.pairs.some(({ tools }) => tools)
      ? [
          dataColumn('tools_a', '', ({ tools }: PairComparison) => tools?.a ?? null),
          dataColumn('tools_b', '', ({ tools }: PairComparison) => tools?.b ?? null),
          dataColumn('tools_differ', '', ({ tools }: PairComparison) => tools?.kind ?? null),
        ]
      : []),
    ...(comparison.pairs.some(({ flips }) => flips)
      ? [
          dataColumn(
            'flip_rate',
            'share of pairs of trials',
            ({ flips }: PairComparison) => flips?.between ?? null,
          ),
          dataColumn('flip_rate_a', 'with itself', ({ flips }: PairComparison) => flips?.a ?? null),
          dataColumn('flip_rate_b', 'with itself', ({ flips }: PairComparison) => flips?.b ?? null),
        ]
      : []),
    dataColumn('missing_low', 'share', ({ outcome }) => outcome.missing?.low ?? null),
    dataColumn('missing_high', 'share', ({ outcome }) => outcome.missing?.high ?? null),
    dataColumn('dominates_tokens', '', ({ dominates }) => dominates.tokens),
    dataColumn('dominates_cost', '', ({ dominates }) => dominates.costUsd),
    ...spentsOf(comparison).flatMap((spent) => spentData(spent)),
    dataColumn('cost_per_success_ratio', 'first / second', ({ costPerSuccess }) => costPerSuccess.ratio),
    dataColumn(
      'cost_per_success_ratio_lower',
      'first / second',
      ({ costPerSuccess }) => costPerSuccess.lower,
    ),
    dataColumn(
      'cost_per_success_ratio_upper',
      'first / second',
      ({ costPerSuccess }) => costPerSuccess.upper,
    ),
  ]
}

/** Returns what the methods of a comparison spent, as far as it is known: not the time of recorded replies. */
const spentsOf = ({ recorded }: Pick<Comparison, 'recorded'>): readonly Spent[] =>
  recorded ? ['tokens', 'costUsd'] : ['tokens', 'costUsd', 'durationMs']

function spentData(spent: Spent): PairColumn[] {
  const name = { tokens: 'tokens', costUsd: 'cost', durationMs: 'time' }[spent]
  const typical = `first / second, ${spent === 'durationMs' ? 'median of tasks' : 'geometric mean of tasks'}`
  const typicalOf = (pair: PairComparison) =>
    spent === 'durationMs' ? pair.spent[spent].median : pair.spent[spent].typical
  return [
    dataColumn(`${name}_ratio`, 'first / second', (pair) => pair.spent[spent].ratio.ratio),
    dataColumn(`${name}_ratio_lower`, 'first / second', (pair) => pair.spent[spent].ratio.lower),
    dataColumn(`${name}_ratio_upper`, 'first / second', (pair) => pair.spent[spent].ratio.upper),
    dataColumn(`${name}_typical_ratio`, typical, (pair) => typicalOf(pair).ratio),
    dataColumn(`${name}_typical_ratio_lower`, typical, (pair) => typicalOf(pair).lower),
    dataColumn(`${name}_typical_ratio_upper`, typical, (pair) => typicalOf(pair).upper),
    dataColumn(`${name}_saved`, 'percent', (pair) => pair.spent[spent].saved.saved),
    dataColumn(`${name}_saved_lower`, 'percent', (pair) => pair.spent[spent].saved.lower),
    dataColumn(`${name}_saved_upper`, 'percent', (pair) => pair.spent[spent].saved.upper),
    dataColumn(`${name}_saved_tasks`, '', (pair) => pair.spent[spent].nTasks),
    dataColumn(
      `${name}_success_difference`,
      'share, same tasks',
      (pair) => pair.spent[spent].success.estimate,
    ),
    dataColumn(
      `${name}_p_exploratory`,
      'of the means, Benjamini-Hochberg',
      (pair) => pair.spent[spent].exploratoryP,
    ),
    dataColumn(`${name}_less_at_equal_success`, '', (pair) => pair.spent[spent].atEqualSuccess),
  ]
}
