import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../method-columns.ts'
import { formatShare, unknown } from '../numbers.ts'
import type { ColumnOf } from '../table.ts'
import { data, label, people, simulatedColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { bareOfOne, formatDifference, formatP, formatRefusal } from './result-text.ts'

/** The columns of the table of suites. */
export function suiteColumns(comparison: Comparison): ColumnOf<SuiteRow>[] {
  const isTested = comparison.suites.some(({ adjustedP }) => adjustedP !== null)
  const share = (value: number | null) => (value === null ? unknown : formatShare(value))
  return [
    label('suite', 'suite', ({ suite }) => suite),
    label('pair', 'A - B', pairName),
    simulatedColumn(comparison.simulated),
    people('tasks_text', ['tasks', 'paired'], 'suite', ({ nTasks }) => String(nTasks)),
    people('a_text', ['A', '%'], 'suite', ({ meanA }) => share(meanA)),
    people('b_text', ['B', '%'], 'suite', ({ meanB }) => share(meanB)),
    people(
      'difference_text',
      [comparison.outcome, `A - B, points [${confidenceName(comparison)}]`],
      'suite',
      (row) => bareOfOne(formatDifference(row, { scale: 100, decimals: 1 }), row.nTasks),
    ),
    ...(isTested
      ? [
          people('p_text', ['p', 'Holm, suites'], 'suite', ({ adjustedP, refusal }: SuiteRow) =>
            adjustedP === null ? formatRefusal(refusal) : formatP(adjustedP),
          ),
        ]
      : []),
    data('tasks', '', ({ nTasks }) => nTasks),
    data('mean_a', 'share', ({ meanA }) => meanA),
    data('mean_b', 'share', ({ meanB }) => meanB),
    data('difference', 'share', ({ estimate }) => estimate),
    data('difference_lower', 'share', ({ lower }) => lower),
    data('difference_upper', 'share', ({ upper }) => upper),
    data('p_adjusted', 'Holm over the suites of the pair', ({ adjustedP }) => adjustedP),
    data('no_p_because', '', ({ refusal }) => refusal),
  ]
}
