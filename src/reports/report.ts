import type { EarlierRow, Summary } from '../analysis/summary.ts'
import type { RunPrices } from '../schema/agent/prices.ts'
import type { Amendment } from '../schema/run/amendment.ts'
import type { SkippedItems } from '../schema/run/run.ts'
import type { ComparisonReport } from './comparison/comparison-report.ts'
import type { FlipsSection } from './flips/section.ts'
import type { GateReport } from './gates/gate-report.ts'
import { methodNotes } from './notes/notes.ts'
import { methodColumns } from './tables/method-columns.ts'
import { createTable, type Section, type Table } from './tables/table.ts'
import { methodsText, taskColumns } from './tables/task-columns.ts'
import { amendmentsText } from './words/amendments-text.ts'
import { marksOf } from './words/evidence-text.ts'
import { counted, present } from './words/numbers.ts'

/** A report on records, as formats show it. */
export interface Report {
  /** The run folder, as a path that the reader can type. */
  run: string
  summary: Summary
  /** How the plan was changed during the run. */
  amendments: readonly Amendment[]
  /** Items of sources of tasks that could not be read and were left out. */
  skipped: readonly SkippedItems[]
  /** Prices of real models; null: none. */
  prices: RunPrices | null
  /** What the numbers come from, if not from calls of the run, in sentences. */
  origin: readonly string[]
  /** How many verdicts of code were taken from a file, as a sentence; null: the run had none. */
  verdicts: string | null
  /** The rows beside earlier runs of the same tasks; empty without one. */
  earlier: readonly EarlierRow[]
  /** One row per method and set of agents. */
  methods: Table
  /** One row per task: how many epochs passed under each method. */
  tasks: Table
  /** Comparison of the methods; null without a pair. */
  comparison: ComparisonReport | null
  /** Further sections: coordination, workflows of states, error flow. */
  sections: Section[]
  /** Tasks that changed sides; absent: not asked for. */
  flips?: FlipsSection
  /** What the conditions of a comparison say; absent: there are none. */
  gate?: GateReport
}

/** Which parts of a report a format renders. */
export interface RenderOptions {
  /** Adds the table by task (in CSV: replaces the table of methods). */
  tasks?: boolean
  /** Adds the notes that define words and procedures. */
  definitions?: boolean
  /** Shows the table of methods alone (with `comparison`: of pairs), with the columns of these keys in this order. */
  columns?: readonly string[] | undefined
  /** Shows this section alone, by one of the names of `sectionNames`. */
  section?: string | undefined
  /** LaTeX: only the tables that a paper shows, or only the others; default all. */
  tables?: 'paper' | 'appendix' | undefined
  /** Id of a trial of the run, for the commands of the first screen alone: they can then be typed as they are. */
  trial?: string | undefined
  /** Characters of a line, for texts; default 100. */
  width?: number
  /**
   * `short`: only the pairs of the comparison. `comparison`: only the comparison (in CSV: the pairs). `interactions` and
   * `properties`: only their table. `flips`: only the tasks that changed sides (in CSV: one line per task). `sections`: only the further sections (in CSV: the first table). `whole`: everything, the default.
   */
  part?: 'whole' | 'short' | 'comparison' | 'interactions' | 'properties' | 'flips' | 'sections'
}

/** Creates the tables of a summary. `run` is the run folder, for the note on the source of the numbers. */
export function createReport(
  summary: Summary,
  {
    run,
    comparison = null,
    sections = [],
    prices = null,
    limits = '',
    amendments = [],
    skipped = [],
    flips,
    gate,
    origin = [],
    verdicts = null,
    machines = null,
    earlier = [],
  }: Pick<Report, 'run'> &
    Partial<Omit<Report, 'summary' | 'methods' | 'tasks' | 'skipped'>> & {
      skipped?: readonly SkippedItems[] | undefined
      /** The limits of the run, as `limitsText` formats them. */
      limits?: string
      /** From which machines its times come, if from several kinds. */
      machines?: string | null
    },
): Report {
  const marks = marksOf(summary)
  const title = `${methodsText(summary.methods)} on ${counted(summary.tasks.length, 'task')}, ${counted(summary.records, 'trial')}${marks}`
  const amended = amendmentsText(amendments)
  const settled = comparison?.comparison.stop?.settledAt != null
  const compared = comparison !== null
  const notes = methodNotes(summary, {
    run,
    prices,
    limits,
    amended,
    skipped,
    compared,
    settled,
    origin,
    verdicts,
    machines,
  })
  return {
    run,
    summary,
    comparison,
    sections,
    amendments,
    skipped,
    prices,
    ...(flips && { flips }),
    ...(gate && { gate }),
    origin,
    verdicts,
    earlier,
    methods: {
      ...createTable(title, methodColumns(summary, prices, { settled }), summary.methods, notes),
      isSplit: true,
    },
    tasks: {
      ...createTable(
        `Passed of graded epochs, by task${marks}`,
        taskColumns(summary),
        summary.tasks,
        present([amended !== null && { text: amended }, ...notes.slice(-1)]),
      ),
      // Each method is a column, and none may be missing.
      isSplit: true,
    },
  }
}
