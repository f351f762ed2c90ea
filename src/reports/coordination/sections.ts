import type { MethodCoordination } from '../../analysis/coordination/coordination.ts'
import type { MethodErrorFlow } from '../../analysis/coordination/error-flow.ts'
import type { Section } from '../tables/table.ts'
import { createTable } from '../tables/table.ts'
import { contextColumns, overheadColumns, shareColumns } from './coordination-columns.ts'
import { errorFlowColumns } from './error-flow-columns.ts'

/** How the methods' agents worked together, as tables. */
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
        text: "Measured from the prompts and replies in the ledger: messages are earlier replies of other agents that stand in a prompt, found line by line; hand-off is the part of a worker's input that they fill. What grading spent is not in it.",
      },
    ],
    data: rows,
  }
}

/** What became of right and wrong candidates, as a table. */
export function errorFlowSection(rows: readonly MethodErrorFlow[], simulated: boolean): Section {
  const mark = simulated ? ' (simulated)' : ''
  return {
    name: 'errorFlow',
    tables: [createTable(`Error flow${mark}`, errorFlowColumns(rows, simulated), rows, [])],
    notes: [
      {
        text: 'Candidates are what producing roles had made when they were answered, and answers of others that were handed in or noted, graded afterwards. Oracle gap: a candidate was right, what was delivered was wrong. Hand-offs lead from a candidate to what was made from it.',
      },
    ],
    data: rows,
  }
}
