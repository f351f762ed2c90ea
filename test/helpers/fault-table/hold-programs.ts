import { delimiter } from 'node:path'
import { programFolder } from '../../live/clients.ts'
import { needs } from '../house/needs.ts'
import { holdRow, rowsOf } from './hold-row.ts'
import { type AgentName, cliAgents } from './play-cell.ts'

/** Registers a test for each of these faults, or for all of them: the real programs end as docs/guides/fault-table.md says. */
export function holdPrograms(faults?: readonly string[]): void {
  process.env.PATH = `${programFolder()}${delimiter}${process.env.PATH}`
  const rows = rowsOf(Object.keys(cliAgents) as AgentName[])
  const chosen = faults ? rows.filter(({ fault }) => faults.includes(fault)) : rows
  needs('bwrap').it.each(chosen)(
    '$fault: every agent CLI ends as docs/guides/fault-table.md says',
    (row) =>
      holdRow(row, {
        sandbox: 'bubblewrap',
        timeoutMs: 45_000,
        hangMs: 20_000,
        everyForm: false,
        parallel: 2,
      }),
    900_000,
  )
}
