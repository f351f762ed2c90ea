import type { Comparison, Interaction, PairComparison, Spent } from '../../analysis/compare/comparison.ts'
import type { PairSensitivity } from '../../analysis/compare/other-procedures.ts'
import type { GroupEffect, PropertyRow } from '../../analysis/compare/property-results.ts'
import type { Ratio } from '../../analysis/ratios/ratio.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { type ColumnOf, dataColumn, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { ratioRange, unknown } from '../words/numbers.ts'
import { pairName } from './pair-columns.ts'
import {
  appendReason,
  decimalsFor,
  formatDifference,
  formatP,
  formatRefusal,
  levelOf,
} from './result-text.ts'

/** Returns the columns of the table of spending: that of the first method of a pair relative to the second. */
export function spendingColumns(comparison: Comparison): ColumnOf<PairComparison>[] {
  const unit = `[${confidenceName(comparison)}]`
  const spending = (key: string, heading: string, spent: Spent) =>
    textColumn<PairComparison>(key, [heading, unit], 'spending', (pair) =>
      relativeText(pair.spent[spent].ratio),
    )
  return [
    labelColumn('pair', 'pair', pairName),
    simulatedColumn(comparison.simulated),
    spending('tokens_text', 'tokens', 'tokens'),
    spending('cost_text', comparison.simulated ? 'cost' : 'list price', 'costUsd'),
    spending('time_text', 'time', 'durationMs'),
    textColumn('success_price_text', ['cost per success', unit], 'spending', ({ costPerSuccess }) =>
      relativeText(costPerSuccess),
    ),
  ]
}

/** Formats a ratio with its limits, or why there is none. */
export function relativeText(ratio: Ratio): string {
  return ratio.ratio === null
    ? formatRefusal(ratio.refusal)
    : appendReason(ratioRange(ratio), ratio, ratio.refusal)
}

/** Returns the columns of the table of interactions: how the difference of two methods differs between two sets of agents. */
export function interactionColumns(comparison: Comparison): ColumnOf<Interaction>[] {
  return [
    labelColumn('pair', 'pair', pairName),
    labelColumn('agents', 'agents', agentsName),
    simulatedColumn(comparison.simulated),
    textColumn('tasks_text', ['tasks', 'paired'], 'outcome', ({ nTasks, nDropped }) =>
      nDropped > 0 ? `${nTasks} of ${nTasks + nDropped}` : String(nTasks),
    ),
    textColumn(
      'difference_text',
      [`${comparison.outcome}, difference of differences`, `points [${confidenceName(comparison)}]`],
      'outcome',
      interactionText,
    ),
    dataColumn('a', '', ({ a }) => a),
    dataColumn('b', '', ({ b }) => b),
    dataColumn('first', '', ({ first }) => first),
    dataColumn('second', '', ({ second }) => second),
    dataColumn('tasks', '', ({ nTasks }) => nTasks),
    dataColumn('difference', 'share', ({ estimate }) => estimate),
    dataColumn('difference_lower', 'share', ({ lower }) => lower),
    dataColumn('difference_upper', 'share', ({ upper }) => upper),
  ]
}

/** Returns `X than Y`: the difference of the methods with agents X minus that with agents Y. */
export const agentsName = ({ first, second }: Interaction): string => `${first} than ${second}`

function interactionText(row: Interaction): string {
  const decimals = decimalsFor(row.se === null ? null : 100 * row.se)
  return formatDifference(row, { scale: 100, decimals })
}

/** Returns the columns of the table of properties: the difference of a pair on tasks with lower and with higher values. */
export function propertyColumns(comparison: Comparison): ColumnOf<PropertyRow>[] {
  const unit = `points [${confidenceName(comparison)}]`
  const { outcome } = comparison
  const spent = spentOfProperties(comparison)
  return [
    labelColumn('property', 'property', ({ property }) => property),
    labelColumn('pair', 'pair', pairName),
    simulatedColumn(comparison.simulated),
    textColumn('lower_text', [`${outcome}, lower values`, unit], 'lower', ({ lower }) => effectText(lower)),
    textColumn('higher_text', [`${outcome}, higher values`, unit], 'higher', ({ higher }) =>
      effectText(higher),
    ),
    textColumn('change_text', ['change', unit], 'change', ({ change }) =>
      formatDifference(change, {
        scale: 100,
        decimals: decimalsFor(change.se === null ? null : 100 * change.se),
      }),
    ),
    ...(hasPropertyP(comparison)
      ? [
          textColumn<PropertyRow>('p_text', ['p', `Holm, m=${propertyTests(comparison)}`], 'change', (row) =>
            row.adjustedP === null ? formatRefusal(row.refusal) : formatP(row.adjustedP, levelOf(comparison)),
          ),
        ]
      : []),
    textColumn(
      'spent_text',
      [`${spent === 'tokens' ? 'tokens' : 'cost'}, change`, `[${confidenceName(comparison)}]`],
      'spent',
      (row) => relativeText(row.spent[spent].change),
    ),
    ...dataColumns,
  ]
}

/** Returns what the table compares: cost, or tokens where a cost is unknown. */
export function spentOfProperties({ byProperty = [] }: Comparison): 'tokens' | 'costUsd' {
  return byProperty.every(({ spent }) => spent.costUsd.change.ratio !== null) ? 'costUsd' : 'tokens'
}

/** Whether some row has a p, or a reason for none that is about the row. */
export const hasPropertyP = ({ byProperty = [], silence }: Comparison): boolean =>
  silence === null && byProperty.length > 0

/** Returns the number of tests that are adjusted together. */
export const propertyTests = ({ byProperty = [] }: Comparison): number =>
  byProperty.filter(({ p }) => p !== null).length

const effectText = (group: GroupEffect): string => formatDifference(group, { scale: 100, decimals: 1 })

const propertyData: readonly ColumnOf<PropertyRow>[] = [
  dataColumn('a', '', ({ a }) => a),
  dataColumn('b', '', ({ b }) => b),
  dataColumn('unstated_tasks', '', ({ nUnstated }) => nUnstated),
  ...(['lower', 'higher'] as const).flatMap((side): ColumnOf<PropertyRow>[] => [
    dataColumn(`${side}_tasks`, '', (row) => row[side].nTasks),
    dataColumn(`${side}_from`, '', (row) => row[side].from),
    dataColumn(`${side}_to`, '', (row) => row[side].to),
    dataColumn(`${side}_difference`, 'share', (row) => row[side].estimate),
    dataColumn(`${side}_difference_lower`, 'share', (row) => row[side].lower),
    dataColumn(`${side}_difference_upper`, 'share', (row) => row[side].upper),
  ]),
  dataColumn('change', 'share', ({ change }) => change.estimate),
  dataColumn('change_lower', 'share', ({ change }) => change.lower),
  dataColumn('change_upper', 'share', ({ change }) => change.upper),
  dataColumn('p', '', ({ p }) => p),
  dataColumn('p_adjusted', '', ({ adjustedP }) => adjustedP),
  dataColumn('no_p', '', ({ refusal }) => refusal),
  ...(['tokens', 'costUsd'] as const).flatMap((spent) => {
    const name = spent === 'tokens' ? 'tokens' : 'cost'
    return [
      dataColumn<PropertyRow>(`${name}_lower_ratio`, '', (row) => row.spent[spent].lower.ratio),
      dataColumn<PropertyRow>(`${name}_higher_ratio`, '', (row) => row.spent[spent].higher.ratio),
      dataColumn<PropertyRow>(`${name}_change`, '', (row) => row.spent[spent].change.ratio),
      dataColumn<PropertyRow>(`${name}_change_lower`, '', (row) => row.spent[spent].change.lower),
      dataColumn<PropertyRow>(`${name}_change_upper`, '', (row) => row.spent[spent].change.upper),
    ]
  }),
]

/** A pair with results of other procedures. */
type SensitivityRow = PairComparison & { sensitivity: PairSensitivity }

/** Returns the pairs with results of other procedures. */
export const sensitivityRows = ({ pairs }: Comparison): SensitivityRow[] =>
  pairs.flatMap((pair) => (pair.sensitivity ? [{ ...pair, sensitivity: pair.sensitivity }] : []))

/** Returns the columns of the table of other procedures. */
export function sensitivityColumns(comparison: Comparison): ColumnOf<SensitivityRow>[] {
  const level = confidenceName(comparison)
  const points = (estimate: number | null, limits: { lower: number | null; upper: number | null }) =>
    formatDifference({ ...limits, estimate }, { scale: 100, decimals: 1 })
  return [
    labelColumn('pair', 'pair', pairName),
    textColumn(
      'bootstrap_text',
      ['bootstrap', `points [${level}]`],
      'bootstrap',
      ({ outcome, sensitivity }) => points(outcome.estimate, sensitivity.bootstrap),
    ),
    textColumn(
      'bca_text',
      ['BCa', `points [${level}]`],
      'bootstrap',
      ({ outcome, sensitivity: { bootstrap } }) =>
        bootstrap.bca?.refusal === null
          ? points(outcome.estimate, bootstrap.bca)
          : formatRefusal(bootstrap.bca?.refusal ?? null),
    ),
    textColumn('pseudomedian_text', ['pseudomedian', `points [${level}]`], 'ranks', ({ sensitivity }) =>
      points(sensitivity.pseudomedian.estimate, sensitivity.pseudomedian),
    ),
    textColumn('wilcoxon_text', ['p', 'signed ranks'], 'ranks', ({ sensitivity: { wilcoxon } }) => {
      const p = wilcoxon?.pExact ?? wilcoxon?.pNormal ?? null
      return p === null ? formatRefusal('too-few-tasks') : formatP(p, levelOf(comparison))
    }),
    textColumn('cliff_text', ["Cliff's", 'delta'], 'ranks', ({ sensitivity: { cliffsDelta } }) =>
      cliffsDelta === null ? unknown : cliffsDelta.toFixed(2),
    ),
  ]
}
