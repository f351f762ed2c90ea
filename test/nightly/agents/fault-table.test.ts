import { delimiter } from 'node:path'
import { holdRow, rowsOf } from '../../helpers/fault-table/hold-row.ts'
import { type AgentName, cliAgents } from '../../helpers/fault-table/play-cell.ts'
import { needs } from '../../helpers/house/needs.ts'
import { programFolder } from '../../live/clients.ts'

process.env.PATH = `${programFolder()}${delimiter}${process.env.PATH}`

needs('bwrap').it.each(rowsOf(Object.keys(cliAgents) as AgentName[]))(
  '$fault: every agent CLI ends as docs/guides/fault-table.md says',
  { timeout: 1_800_000 },
  (row) =>
    holdRow(row, {
      sandbox: 'bubblewrap',
      timeoutMs: 60_000,
      hangMs: 30_000,
      everyForm: false,
      parallel: 2,
    }),
)
