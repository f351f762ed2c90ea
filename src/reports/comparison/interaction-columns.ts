import type { Comparison, Interaction } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { data, label, people, simulatedColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { decimalsFor, formatDifference } from './result-text.ts'

/** The columns of the table of interactions: how the difference of two methods differs between two sets of agents. */
export function interactionColumns(comparison: Comparison): ColumnOf<Interaction>[] {
  return [
    label('pair', 'A - B', pairName),
    label('agents', 'agents', agentsName),
    simulatedColumn(comparison.simulated),
    people('tasks_text', ['tasks', 'paired'], 'outcome', ({ nTasks, nDropped }) =>
      nDropped > 0 ? `${nTasks} of ${nTasks + nDropped}` : String(nTasks),
    ),
    people(
      'difference_text',
      [`${comparison.outcome}, difference of differences`, `points [${confidenceName(comparison)}]`],
      'outcome',
      interactionText,
    ),
    data('a', '', ({ a }) => a),
    data('b', '', ({ b }) => b),
    data('first', '', ({ first }) => first),
    data('second', '', ({ second }) => second),
    data('tasks', '', ({ nTasks }) => nTasks),
    data('difference', 'share', ({ estimate }) => estimate),
    data('difference_lower', 'share', ({ lower }) => lower),
    data('difference_upper', 'share', ({ upper }) => upper),
  ]
}

/** `X - Y`: A - B with X less A - B with Y. */
export const agentsName = ({ first, second }: Interaction): string => `${first} - ${second}`

function interactionText(row: Interaction): string {
  const decimals = decimalsFor(row.se === null ? null : 100 * row.se)
  return formatDifference(row, { scale: 100, decimals })
}
