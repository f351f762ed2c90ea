import type { Summary } from '../analysis/summary.ts'
import { methodColumns } from './method-columns.ts'
import { methodNotes } from './notes.ts'
import { counted } from './numbers.ts'
import { layOut, type Table } from './table.ts'
import { taskColumns } from './task-columns.ts'

/** All that a format may show of some records. */
export interface Report {
  /** The run folder, as the reader may type it. */
  run: string
  summary: Summary
  /** One row per method and set of agents. */
  methods: Table
  /** One row per task: how many epochs passed under each method. */
  tasks: Table
}

/** The tables of a summary. `run` is the run folder, for the footnote that says where the numbers come from. */
export function createReport(summary: Summary, { run }: { run: string }): Report {
  const kinds = [
    ...(summary.simulated ? ['simulated'] : []),
    ...(summary.faults === null ? [] : ['faults injected']),
  ]
  const marks = kinds.length > 0 ? ` (${kinds.join(', ')})` : ''
  const title = `${counted(summary.methods.length, 'method')} on ${counted(summary.tasks.length, 'task')}, ${counted(summary.records, 'trial')}${marks}`
  const notes = methodNotes(summary, run)
  return {
    run,
    summary,
    methods: layOut(title, methodColumns(summary), summary.methods, notes),
    tasks: layOut(
      `Passed of graded epochs, by task${marks}`,
      taskColumns(summary),
      summary.tasks,
      notes.slice(-1),
    ),
  }
}
