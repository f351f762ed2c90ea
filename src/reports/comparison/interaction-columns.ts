import type { Comparison, Interaction } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { decimalsFor, formatDifference } from './result-text.ts'

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
