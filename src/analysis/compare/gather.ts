import type { TrialRecord } from '../../schema/record.ts'
import { createMixGuard, type MixGuard } from '../mix-guard.ts'
import { agentsLabel } from '../summarize.ts'
import { addToCell, type Cell, emptyCell } from './collect.ts'

/** One method with one set of agents, its trials summed up by task. */
export interface GatheredRow {
  method: string
  agents: string
  /** Label of the set of agents, where the run has several. */
  set: string | null
  cells: Map<string, Cell>
}

/** What a comparison needs of records: a few sums per method and task, never a record. */
export interface Gathering {
  /** Throws `UserError` on a trial that occurs twice, and on simulated records among live ones or with other faults. */
  add(record: TrialRecord): void
  rows(): GatheredRow[]
  /** Suite of each task. */
  suites: ReadonlyMap<string, string>
  mix: MixGuard
}

/** A gathering without a record; cheap to load and to feed, so that a run can do so while it works. */
export function createGathering(): Gathering {
  const rows = new Map<string, GatheredRow>()
  const suites = new Map<string, string>()
  const mix = createMixGuard()
  let row: GatheredRow | undefined
  const rowOf = (method: string, agents: string, set: string | null): GatheredRow => {
    const key = `${method}\n${set}\n${agents}`
    const known = rows.get(key) ?? { method, agents, set, cells: new Map<string, Cell>() }
    rows.set(key, known)
    return known
  }
  return {
    add(record) {
      mix.add(record)
      const { method, agentSet: set = null } = record
      const agents = agentsLabel(record.agents)
      // A run's records often come by the thousand from one row.
      if (row?.method !== method || row.agents !== agents || row.set !== set) row = rowOf(method, agents, set)
      let cell = row.cells.get(record.task)
      if (!cell) {
        cell = emptyCell()
        row.cells.set(record.task, cell)
        suites.set(record.task, record.suite)
      }
      addToCell(cell, record)
    },
    rows: () => [...rows.values()],
    suites,
    mix,
  }
}
