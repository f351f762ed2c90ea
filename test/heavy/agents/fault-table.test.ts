import { expect, it } from 'vitest'
import { formsOf, holdRow, rowsOf } from '../../helpers/fault-table/hold-row.ts'
import { type AgentName, httpAgents } from '../../helpers/fault-table/play-cell.ts'
import { readFaultTable } from '../../helpers/fault-table/read-table.ts'
import { faults } from '../../model-server/faults.ts'

const agents = Object.keys(httpAgents) as AgentName[]
const rows = rowsOf(agents)

it('the table has a row for every fault of the model server and for a server that is not there', () => {
  const inTable = readFaultTable().map(({ fault }) => fault)
  expect([...inTable].sort()).toEqual([...Object.keys(faults), 'dead server'].sort())
  expect(inTable.length).toBeGreaterThanOrEqual(20)
})

it('the table has a cell for every agent over HTTP whose server can show the fault', () => {
  const inTable = rows.flatMap(({ fault, wanted }) => wanted.map(({ agent }) => `${fault}, ${agent}`))
  const shown = rows.flatMap(({ fault }) =>
    agents.filter((agent) => formsOf(fault, agent) > 0).map((agent) => `${fault}, ${agent}`),
  )
  expect(inTable).toEqual(shown)
})

it.each(rows)('$fault: every agent over HTTP ends as docs/guides/fault-table.md says', (row) =>
  holdRow(row, {
    sandbox: 'none',
    timeoutMs: 60_000,
    hangMs: 300,
    everyForm: true,
    parallel: 5,
  }),
)
