import type { MethodCoordination } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import {
  type ColumnOf,
  createTable,
  dataColumn,
  labelColumn,
  type Section,
  simulatedColumn,
  textColumn,
} from '../tables/table.ts'
import { formatCount, formatShare, nothing } from '../words/numbers.ts'
import { contextColumns, overheadColumns, shareColumns } from './coordination-columns.ts'

/** Creates the section on coordination of agents. */
export function coordinationSection(rows: readonly MethodCoordination[], simulated: boolean): Section {
  const mark = simulated ? ' (simulated)' : ''
  const roles = rows.flatMap(({ method, agents, context }) =>
    context.map((context) => ({ method, agents, context })),
  )
  return {
    name: 'coordination',
    tables: [
      createTable(
        `Coordination: effort, and overhead against the baseline${mark}`,
        overheadColumns(rows, simulated),
        rows,
        [],
      ),
      createTable(
        `On what the tokens went, and what came through${mark}`,
        shareColumns(rows, simulated),
        rows,
        [],
      ),
      createTable(`Context by role${mark}`, contextColumns(simulated), roles, []),
    ],
    notes: [
      {
        text: 'Measured from the prompts and replies in the ledger: messages are earlier replies of other agents that appear in a prompt, found line by line; hand-off is their part of the input of a producing role. Spending of graders is not included.',
      },
    ],
    data: rows,
  }
}

/** Creates the section on the flow of right and wrong candidates. */
export function errorFlowSection(rows: readonly MethodErrorFlow[], simulated: boolean): Section {
  const mark = simulated ? ' (simulated)' : ''
  return {
    name: 'errorFlow',
    tables: [createTable(`Error flow${mark}`, errorFlowColumns(rows, simulated), rows, [])],
    notes: [
      {
        text: 'Candidates are the work of producing roles after each reply, and answers of other roles that were delivered or noted; they are graded after the trial. Oracle gap: a candidate was right, but the delivery was wrong. Hand-offs lead from a candidate to the one made from it.',
      },
    ],
    data: rows,
  }
}

type Column = ColumnOf<MethodErrorFlow>

/** Returns the columns of the table of error flow: counts with their shares. */
function errorFlowColumns(rows: readonly MethodErrorFlow[], simulated: boolean): Column[] {
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
