import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from '../comparison/column.ts'
import type { ColumnOf } from '../tables/table.ts'
import { formatCount, formatShare, nothing } from '../words/numbers.ts'

type Column = ColumnOf<MethodErrorFlow>

/** Returns the columns of the table of error flow: counts with their shares. */
export function errorFlowColumns(rows: readonly MethodErrorFlow[], simulated: boolean): Column[] {
  const several = new Set(rows.map(({ agents }) => agents)).size > 1
  const of = (
    key: string,
    head: [string, string],
    part: (row: MethodErrorFlow) => number,
    whole: (row: MethodErrorFlow) => number,
  ) =>
    textColumn<MethodErrorFlow>(key, head, 'flow', (row) =>
      whole(row) === 0
        ? nothing
        : `${formatCount(part(row))}/${formatCount(whole(row))} (${formatShare(part(row) / whole(row))}%)`,
    )
  return [
    labelColumn('method', 'method', ({ method }) => method),
    {
      ...labelColumn<MethodErrorFlow>('agents', 'agents', ({ agents }) => agents),
      audience: several ? 'all' : 'data',
    },
    simulatedColumn(simulated),
    of(
      'right_text',
      ['right', 'of candidates'],
      ({ right }) => right,
      ({ candidates }) => candidates,
    ),
    of(
      'oracle_text',
      ['had it right', 'of trials'],
      ({ withRight }) => withRight,
      ({ trials }) => trials,
    ),
    of(
      'lost_text',
      ['oracle gap', 'of trials'],
      ({ lost }) => lost,
      ({ trials }) => trials,
    ),
    of(
      'right_to_wrong_text',
      ['right to wrong', 'of hand-offs'],
      ({ rightToWrong }) => rightToWrong,
      ({ handOffs }) => handOffs,
    ),
    of(
      'wrong_to_right_text',
      ['wrong to right', 'of hand-offs'],
      ({ wrongToRight }) => wrongToRight,
      ({ handOffs }) => handOffs,
    ),
    of(
      'conformed_text',
      ['conformed', 'of dissenters'],
      ({ conformed }) => conformed,
      ({ against }) => against,
    ),
    ...(
      [
        'trials',
        'candidates',
        'right',
        'withRight',
        'lost',
        'found',
        'handOffs',
        'rightToWrong',
        'wrongToRight',
        'against',
        'conformed',
      ] as const
    ).map((name) => dataColumn<MethodErrorFlow>(name, 'count', (row) => row[name])),
  ]
}
