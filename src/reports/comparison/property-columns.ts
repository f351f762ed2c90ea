import type { Comparison } from '../../analysis/compare/comparison.ts'
import type { GroupEffect, PropertyRow } from '../../analysis/compare/property-results.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { decimalsFor, formatDifference, formatP, formatRefusal, levelOf } from './result-text.ts'
import { relativeText } from './spending-columns.ts'

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

const dataColumns: readonly ColumnOf<PropertyRow>[] = [
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
