import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Confounding } from '../../analysis/compare/confounding.ts'
import { verdictText } from '../../analysis/compare/pairs/verdict.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { nothing } from '../words/numbers.ts'
import { data, label, people, simulatedColumn } from './column.ts'
import { bareOfOne, decimalsFor, formatDifference, formatP, formatRefusal } from './result-text.ts'

type PairColumn = ColumnOf<PairComparison>

/** The columns of the table of pairs: the primary outcome, what may be said of it, and what could have been found. */
export function pairColumns(comparison: Comparison): PairColumn[] {
  const { family, margin, simulated } = comparison
  const tested = comparison.pairs.some(({ verdict }) => verdict !== null)
  const silent = comparison.silence !== null && comparison.silence !== 'simulated'
  const level = confidenceName(comparison)
  return [
    label('pair', 'A - B', pairName),
    simulatedColumn(simulated),
    people('tasks_text', ['tasks', 'paired'], 'outcome', ({ outcome: { nTasks, nDropped } }) =>
      nDropped > 0 ? `${nTasks} of ${nTasks + nDropped}` : String(nTasks),
    ),
    people('difference_text', [comparison.outcome, `A - B, points [${level}]`], 'outcome', ({ outcome }) =>
      bareOfOne(
        formatDifference(outcome, {
          scale: 100,
          decimals: decimalsFor(outcome.se === null ? null : 100 * outcome.se),
        }),
        outcome.nTasks,
      ),
    ),
    ...(tested || silent ? [people('p_text', ['p', adjustmentName(comparison)], 'outcome', pText)] : []),
    ...(tested
      ? [
          people('verdict_text', ['says', ''], 'outcome', ({ verdict }: PairComparison) =>
            verdict ? verdictText(verdict, marginText(margin)) : nothing,
          ),
          people('detectable_text', ['detectable', 'points, 80%'], 'outcome', detectableText),
        ]
      : []),
    ...(comparison.pairs.some((pair) => pair.confounded)
      ? [
          people('confounded_text', ['confounded', ''], 'outcome', ({ confounded }: PairComparison) =>
            confounded ? 'with the model' : nothing,
          ),
        ]
      : []),
    ...dataColumns(comparison, family.size),
  ]
}

/** How many tests p-values are adjusted over. */
export function familySize({ family, stop, silence, pairs }: Comparison): number {
  if (stop) return stop.rule.comparisons
  return silence === null ? family.size : pairs.length
}

/** `Holm, m=3`; under a stop rule each test has its part of alpha. */
export function adjustmentName(comparison: Comparison): string {
  return `${comparison.stop ? 'at any look' : 'Holm'}, m=${familySize(comparison)}`
}

/** `A asks X, Y; B asks X`. */
export const confoundedText = ({ a, b }: Confounding): string =>
  `A asks ${a.join(', ') || 'nobody'}; B asks ${b.join(', ') || 'nobody'}`

/** `A - B`, the direction of every difference. */
export const pairName = ({ a, b }: Pick<PairComparison, 'a' | 'b'>): string => `${a} - ${b}`

/** The margin as people read it. */
export function marginText(margin: number | null): string {
  return margin === null ? 'no margin' : `${Number((100 * margin).toFixed(4))} points`
}

function pText({ adjustedP, outcome }: PairComparison): string {
  return adjustedP === null ? formatRefusal(outcome.refusal) : formatP(adjustedP)
}

/** The smallest difference that would be found, or why it is not known: an early stop fixes no number of tasks. */
export function detectableText({ planning, outcome, sequence }: PairComparison): string {
  if (planning.mdeInFamily !== null) return (100 * planning.mdeInFamily).toFixed(1)
  return formatRefusal(sequence ? 'stop-rule' : (planning.refusal ?? outcome.refusal))
}

function dataColumns(comparison: Comparison, size: number): PairColumn[] {
  return [
    data('a', '', ({ a }) => a),
    data('b', '', ({ b }) => b),
    data('outcome', '', () => comparison.outcome),
    data('confidence', 'share', () => comparison.confidence),
    data('tasks', '', ({ outcome }) => outcome.nTasks),
    data('tasks_dropped', '', ({ outcome }) => outcome.nDropped),
    data('tasks_separated', '', ({ outcome }) => outcome.separated),
    data('difference', 'share', ({ outcome }) => outcome.estimate),
    data('difference_lower', 'share', ({ outcome }) => outcome.lower),
    data('difference_upper', 'share', ({ outcome }) => outcome.upper),
    data('interval', '', ({ outcome }) => outcome.interval),
    data('se', 'share', ({ outcome }) => outcome.se),
    data('rerun_se', 'share, these tasks only', ({ outcome }) => outcome.rerunSe),
    data('test', '', ({ outcome }) => outcome.test),
    data('p', 'two-sided', ({ outcome }) => outcome.p),
    data('p_exact', 'two-sided', ({ outcome }) => outcome.exactP),
    data('p_adjusted', comparison.stop ? 'at any look, times m' : 'Holm', ({ adjustedP }) => adjustedP),
    data('family', 'tests', () => size),
    data('no_p_because', '', ({ outcome }) => outcome.refusal),
    data('verdict', '', ({ verdict }) => verdict?.word ?? null),
    data('verdict_method', '', ({ verdict }) => (verdict && 'method' in verdict ? verdict.method : null)),
    data('margin', 'share', () => comparison.margin),
    data('not_worse_p_a', 'Holm', ({ notWorse }) => notWorse.a.adjustedP),
    data('not_worse_p_b', 'Holm', ({ notWorse }) => notWorse.b.adjustedP),
    data('equivalent_p', 'Holm', ({ equivalent }) => equivalent.adjustedP),
    data('detectable', 'share, power 0.8, in the family', ({ planning }) => planning.mdeInFamily),
    data('within_share', 'share of variance', ({ planning }) => planning.withinShare),
    data('advice', '', ({ planning }) => planning.advice),
    data('a_wins', 'share of tasks, ties half', ({ outcome }) => outcome.effect.pSuperiority),
    data('confounded', '', ({ confounded }) => confounded && confoundedText(confounded)),
    data('missing_low', 'share', ({ outcome }) => outcome.missing?.low ?? null),
    data('missing_high', 'share', ({ outcome }) => outcome.missing?.high ?? null),
    data('dominates_tokens', '', ({ dominates }) => dominates.tokens),
    data('dominates_cost', '', ({ dominates }) => dominates.costUsd),
    ...(['tokens', 'costUsd', 'durationMs'] as const).flatMap((spent) => spentData(spent)),
    data('cost_per_success_ratio', 'A / B', ({ costPerSuccess }) => costPerSuccess.ratio),
    data('cost_per_success_ratio_lower', 'A / B', ({ costPerSuccess }) => costPerSuccess.lower),
    data('cost_per_success_ratio_upper', 'A / B', ({ costPerSuccess }) => costPerSuccess.upper),
  ]
}

function spentData(spent: 'tokens' | 'costUsd' | 'durationMs'): PairColumn[] {
  const name = { tokens: 'tokens', costUsd: 'cost', durationMs: 'time' }[spent]
  return [
    data(`${name}_saved`, 'percent', (pair) => pair.spent[spent].saved.saved),
    data(`${name}_saved_lower`, 'percent', (pair) => pair.spent[spent].saved.lower),
    data(`${name}_saved_upper`, 'percent', (pair) => pair.spent[spent].saved.upper),
    data(`${name}_saved_tasks`, '', (pair) => pair.spent[spent].nTasks),
    data(`${name}_success_difference`, 'share, same tasks', (pair) => pair.spent[spent].success.estimate),
    data(`${name}_p_exploratory`, 'Benjamini-Hochberg', (pair) => pair.spent[spent].exploratoryP),
  ]
}
