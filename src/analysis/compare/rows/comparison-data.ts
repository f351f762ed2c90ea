import { peopleOf, type TrialRecord } from '../../../schema/ledger/record.ts'
import { createMixGuard, type MixGuard } from '../../mix-guard.ts'
import { createRows, type RowName } from '../../rows.ts'
import { agentsLabel } from '../../summarize.ts'
import { addToCell, type Cell, emptyCell } from './cell.ts'

/** One method with one set of agents: sums over its trials by task. */
export interface ComparisonRow extends RowName {
  cells: Map<string, Cell>
  /** Number of trials in which people took part. */
  touched?: number
}

/** Data of a comparison: a few sums per method and task, never a record. */
export interface ComparisonData {
  /** Throws `UserError` for a trial that occurs twice, simulated records among live ones, and different injected faults. */
  add(record: TrialRecord): void
  rows(): ComparisonRow[]
  /** The suite of each task. */
  suites: ReadonlyMap<string, string>
  /** Tasks whose tests ran in the solution's process. */
  oneProcess: ReadonlySet<string>
  mix: MixGuard
}

/** Returns the data of no records; a run adds its records while it works. */
export function createComparisonData(): ComparisonData {
  const rows = createRows<ComparisonRow>((method, agents, set) => ({
    method,
    agents,
    set,
    cells: new Map<string, Cell>(),
  }))
  const suites = new Map<string, string>()
  const oneProcess = new Set<string>()
  const mix = createMixGuard()
  return {
    add(record) {
      mix.add(record)
      const row = rows.of(record.method, agentsLabel(record.agents), record.agentSet ?? null)
      let cell = row.cells.get(record.task)
      if (!cell) {
        cell = emptyCell()
        row.cells.set(record.task, cell)
        suites.set(record.task, record.suite)
      }
      addToCell(cell, record)
      if (record.scores.some((score) => score.oneProcess)) oneProcess.add(record.task)
      if (peopleOf(record)) row.touched = (row.touched ?? 0) + 1
    },
    rows: rows.all,
    suites,
    oneProcess,
    mix,
  }
}
