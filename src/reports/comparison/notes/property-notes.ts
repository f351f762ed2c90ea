import type { Comparison } from '../../../analysis/compare/comparison.ts'
import type { PropertyRow } from '../../../analysis/compare/property-results.ts'
import { counted } from '../../words/numbers.ts'
import { hasPropertyP, propertyTests, spentOfProperties } from '../property-columns.ts'

/** Returns what a reader must know to read the table of properties; empty without it. */
export function propertyNotes(comparison: Comparison): string[] {
  const rows = firstRows(comparison)
  if (rows.length === 0) return []
  return [
    'By property: exploratory, and associations. The tasks were not made to differ in one property alone, so another difference between the two groups may be the cause.',
    `Lower and higher values: ${rows.map(groupsText).join('; ')}.`,
    ...alikeNotes(rows),
    ...fewNotes(comparison, rows),
  ]
}

/** Returns how the numbers of the table of properties are computed; empty without it. */
export function propertyTexts(comparison: Comparison): string[] {
  if (firstRows(comparison).length === 0) return []
  const { outcome, byProperty = [] } = comparison
  const spent = spentOfProperties(comparison) === 'tokens' ? 'tokens' : 'cost'
  const tested =
    hasPropertyP(comparison) && propertyTests(comparison) > 0
      ? ` p: Welch's t test; with fewer than 30 tasks in a group the greater p with a permutation test of the same statistic (9,999 permutations of tasks); Holm, adjusted over the ${counted(propertyTests(comparison), 'test')} of the table. It is apart from the family of the pairs.`
      : ''
  return [
    `By property: the tasks that state it are split between two of its values, where they part best (least squares of the property; six tasks on each side if possible; results do not matter). Change: the difference in ${outcome} on the higher values minus that on the lower ones, tasks as units, with Welch's limits for each row by itself.${tested} Change of ${spent}: the ratio of a typical task (geometric mean) on the higher values over that on the lower ones.${byProperty.some(({ nUnstated }) => nUnstated > 0) ? ' Tasks that do not state a property are left out of its rows.' : ''}`,
  ]
}

/** Returns one row of each property: its groups are the same for all pairs. */
function firstRows({ byProperty = [] }: Comparison): PropertyRow[] {
  return [...new Map(byProperty.toReversed().map((row) => [row.property, row])).values()].toReversed()
}

function groupsText({ property, lower, higher, nUnstated }: PropertyRow): string {
  const group = ({ nTasks, from, to }: PropertyRow['lower']) =>
    `${from === to ? from : `${from} to ${to}`} (${counted(nTasks, 'task')})`
  const left = nUnstated > 0 ? `, not stated by ${counted(nUnstated, 'task')}` : ''
  return `${property} ${group(lower)} and ${group(higher)}${left}`
}

/** Names properties that split the tasks in the same way: their rows are one finding, not several. */
function alikeNotes(rows: readonly PropertyRow[]): string[] {
  const groups = new Map<string, string[]>()
  for (const { property, split } of rows) groups.set(split, [...(groups.get(split) ?? []), property])
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map(
      (names) =>
        `${names.join(' and ')} split the tasks into the same two groups, so their rows show one finding.`,
    )
}

function fewNotes({ silence }: Comparison, rows: readonly PropertyRow[]): string[] {
  const few = rows.filter(({ lower, higher }) => Math.min(lower.nTasks, higher.nTasks) < 6)
  if (few.length === 0) return []
  const what = silence === null ? 'described, not tested' : 'too few to say more than these tasks'
  return [`Fewer than 6 tasks in a group: ${few.map(({ property }) => property).join(', ')}; ${what}.`]
}
