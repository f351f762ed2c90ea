import type { MethodCoordination } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import type { Section } from '../tables/table.ts'
import { createTable } from '../tables/table.ts'
import { contextColumns, overheadColumns, shareColumns } from './coordination-columns.ts'
import { errorFlowColumns } from './error-flow-columns.ts'

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
