import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import type { Confounding } from '../../analysis/compare/confounding.ts'
import { verdictText } from '../../analysis/compare/pairs/verdict.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { nothing } from '../words/numbers.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { appendOneTask, decimalsFor, formatDifference, formatP, formatRefusal } from './result-text.ts'

type PairColumn = ColumnOf<PairComparison>

/** Returns the columns of the table of pairs: the primary outcome, its verdict, and the detectable difference. */
export function pairColumns(comparison: Comparison): PairColumn[] {
  const { family, margin, simulated } = comparison
  const tested = comparison.pairs.some(({ verdict }) => verdict !== null)
  const silent = comparison.silence !== null && comparison.silence !== 'simulated'
  const level = confidenceName(comparison)
  return [
    labelColumn('pair', 'A - B', pairName),
    simulatedColumn(simulated),
    textColumn('tasks_text', ['tasks', 'paired'], 'outcome', ({ outcome: { nTasks, nDropped } }) =>
      nDropped > 0 ? `${nTasks} of ${nTasks + nDropped}` : String(nTasks),
    ),
    textColumn(
      'difference_text',
      [comparison.outcome, `A - B, points [${level}]`],
      'outcome',
      ({ outcome }) =>
        appendOneTask(
          formatDifference(outcome, {
            scale: 100,
            decimals: decimalsFor(outcome.se === null ? null : 100 * outcome.se),
          }),
          outcome.nTasks,
        ),
    ),
    ...(tested || silent ? [textColumn('p_text', ['p', adjustmentName(comparison)], 'outcome', pText)] : []),
    ...(tested
      ? [
          textColumn('verdict_text', ['says', ''], 'outcome', ({ verdict }: PairComparison) =>
            verdict ? verdictText(verdict, marginText(margin)) : nothing,
          ),
          textColumn('detectable_text', ['detectable', 'points, 80%'], 'outcome', detectableText),
        ]
      : []),
    ...(comparison.pairs.some(isConfounded)
      ? [textColumn('confounded_text', ['confounded', ''], 'outcome', confoundedWith)]
      : []),
    ...dataColumns(comparison, family.size),
  ]
}

/** Returns the number of tests that p-values are adjusted over. */
export function familySize({ family, stop, silence, pairs }: Comparison): number {
  if (stop) return stop.rule.comparisons
  return silence === null ? family.size : pairs.length
}

/** Returns `Holm, m=3`; with a stop rule `at any look, m=3`. */
export function adjustmentName(comparison: Comparison): string {
  return `${comparison.stop ? 'at any look' : 'Holm'}, m=${familySize(comparison)}`
}

/** Returns `A asks X, Y; B asks X`. */
export const confoundedText = ({ a, b }: Confounding): string =>
  `A asks ${a.join(', ') || 'nobody'}; B asks ${b.join(', ') || 'nobody'}`

/** Whether a pair differs in more than what it compares. */
export const isConfounded = ({ confounded, tools }: PairComparison): boolean =>
  confounded !== null || tools?.kind === 'confounded'

/** Returns what a pair is confounded with. */
export function confoundedWith({ confounded, tools }: PairComparison): string {
  const parts = [...(confounded ? ['the model'] : []), ...(tools?.kind === 'confounded' ? ['the tools'] : [])]
  return parts.length > 0 ? `with ${parts.join(' and ')}` : nothing
}

/** Returns `A - B`, the direction of every difference. */
export const pairName = ({ a, b }: Pick<PairComparison, 'a' | 'b'>): string => `${a} - ${b}`

/** Returns the margin in percentage points as text. */
export function marginText(margin: number | null): string {
  return margin === null ? 'no margin' : `${Number((100 * margin).toFixed(4))} points`
}

function pText({ adjustedP, outcome }: PairComparison): string {
  return adjustedP === null ? formatRefusal(outcome.refusal) : formatP(adjustedP)
}

/** Returns the smallest detectable difference, or why it is unknown. A stop rule has none, since the number of tasks is not fixed. */
export function detectableText({ planning, outcome, sequence }: PairComparison): string {
  if (planning.mdeInFamily !== null) return (100 * planning.mdeInFamily).toFixed(1)
  return formatRefusal(sequence ? 'stop-rule' : (planning.refusal ?? outcome.refusal))
}

function dataColumns(comparison: Comparison, size: number): PairColumn[] {
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
    ...(comparison.pairs.some(({ tools }) => tools)
      ? [
          dataColumn('tools_a', '', ({ tools }: PairComparison) => tools?.a ?? null),
          dataColumn('tools_b', '', ({ tools }: PairComparison) => tools?.b ?? null),
          dataColumn('tools_differ', '', ({ tools }: PairComparison) => tools?.kind ?? null),
        ]
      : []),
    dataColumn('missing_low', 'share', ({ outcome }) => outcome.missing?.low ?? null),
    dataColumn('missing_high', 'share', ({ outcome }) => outcome.missing?.high ?? null),
    dataColumn('dominates_tokens', '', ({ dominates }) => dominates.tokens),
    dataColumn('dominates_cost', '', ({ dominates }) => dominates.costUsd),
    ...(['tokens', 'costUsd', 'durationMs'] as const).flatMap((spent) => spentData(spent)),
    dataColumn('cost_per_success_ratio', 'A / B', ({ costPerSuccess }) => costPerSuccess.ratio),
    dataColumn('cost_per_success_ratio_lower', 'A / B', ({ costPerSuccess }) => costPerSuccess.lower),
    dataColumn('cost_per_success_ratio_upper', 'A / B', ({ costPerSuccess }) => costPerSuccess.upper),
  ]
}

function spentData(spent: 'tokens' | 'costUsd' | 'durationMs'): PairColumn[] {
  const name = { tokens: 'tokens', costUsd: 'cost', durationMs: 'time' }[spent]
  return [
    dataColumn(`${name}_saved`, 'percent', (pair) => pair.spent[spent].saved.saved),
    dataColumn(`${name}_saved_lower`, 'percent', (pair) => pair.spent[spent].saved.lower),
    dataColumn(`${name}_saved_upper`, 'percent', (pair) => pair.spent[spent].saved.upper),
    dataColumn(`${name}_saved_tasks`, '', (pair) => pair.spent[spent].nTasks),
    dataColumn(
      `${name}_success_difference`,
      'share, same tasks',
      (pair) => pair.spent[spent].success.estimate,
    ),
    dataColumn(`${name}_p_exploratory`, 'Benjamini-Hochberg', (pair) => pair.spent[spent].exploratoryP),
  ]
}
