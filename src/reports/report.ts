import type { Summary } from '../analysis/summary.ts'
import type { RunPrices } from '../schema/agent/prices.ts'
import type { ComparisonReport } from './comparison/comparison-report.ts'
import { methodNotes } from './notes/notes.ts'
import { methodColumns } from './tables/method-columns.ts'
import type { Section } from './tables/table.ts'
import { createTable, type Table } from './tables/table.ts'
import { taskColumns } from './tables/task-columns.ts'
import { counted } from './words/numbers.ts'

/** All that a format may show of some records. */
export interface Report {
  /** The run folder, as the reader may type it. */
  run: string
  summary: Summary
  /** By what real models were billed; null: by nothing. */
  prices: RunPrices | null
  /** One row per method and set of agents. */
  methods: Table
  /** One row per task: how many epochs passed under each method. */
  tasks: Table
  /** How the methods compare; null: there is nothing to compare. */
  comparison: ComparisonReport | null
  /** What was measured beside that. */
  sections: Section[]
}

/** What of a report is printed. */
export interface RenderOptions {
  /** The table by task, too (in CSV: instead). */
  tasks?: boolean
  /**
   * `short`: of the comparison its pairs only. `comparison`: nothing else (in CSV: the pairs). `interactions`: their table,
   * alone. `sections`: what was measured beside methods and comparison, alone (in CSV: the first table). All of it by default.
   */
  part?: 'whole' | 'short' | 'comparison' | 'interactions' | 'sections'
}

/** The tables of a summary. `run` is the run folder, for the footnote that says where the numbers come from. */
export function createReport(
  summary: Summary,
  {
    run,
    comparison = null,
    sections = [],
    prices = null,
    limits = '',
  }: {
    run: string
    comparison?: ComparisonReport | null
    sections?: Section[]
    prices?: RunPrices | null | undefined
    /** Those in force, as `limitsText` says them. */
    limits?: string
  },
): Report {
  const kinds = [
    ...(summary.simulated ? ['simulated'] : []),
    ...(summary.faults === null ? [] : ['faults injected']),
  ]
  const marks = kinds.length > 0 ? ` (${kinds.join(', ')})` : ''
  const sets = new Set(summary.methods.flatMap(({ set }) => (set === null ? [] : [set]))).size
  const rows = sets > 1 ? new Set(summary.methods.map(({ method }) => method)).size : summary.methods.length
  const title = `${counted(rows, 'method')}${sets > 1 ? ` with ${counted(sets, 'set')} of agents each` : ''} on ${counted(summary.tasks.length, 'task')}, ${counted(summary.records, 'trial')}${marks}`
  const notes = methodNotes(summary, { run, prices, limits, compared: comparison !== null })
  return {
    run,
    summary,
    comparison,
    sections,
    prices,
    methods: createTable(title, methodColumns(summary, prices), summary.methods, notes),
    tasks: createTable(
      `Passed of graded epochs, by task${marks}`,
      taskColumns(summary),
      summary.tasks,
      notes.slice(-1),
    ),
  }
}
