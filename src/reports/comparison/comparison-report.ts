import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import {
  type ColumnOf,
  createTable,
  labelColumn,
  type Note,
  simulatedColumn,
  type Table,
  textColumn,
} from '../tables/table.ts'
import { counted, nothing } from '../words/numbers.ts'
import { comparisonNotes, interactionTableNotes, propertyTableNotes } from './comparison-notes.ts'
import { hasSpread } from './definitions.ts'
import { frontierColumns, frontierRows, spreadColumns } from './method-tables.ts'
import { pairColumns, pairName } from './pair-columns.ts'
import {
  interactionColumns,
  propertyColumns,
  sensitivityColumns,
  sensitivityRows,
  spendingColumns,
} from './pair-tables.ts'
import { appendOneTask, formatDifference } from './result-text.ts'
import { hasFrontierNews } from './spending-notes.ts'

/** Facts about one run of a comparison. */
export interface RunFacts {
  /** The run folder, as a path that the reader can type. */
  run: string
  createdAt: string
  /** Version of bench with its commit; outside a checkout with the digest of its code. */
  bench: string
  /** Commit of the checkout that bench was called in, if it is not that of bench itself. */
  calledIn: string | null
  /** What its times depend on: machine, parallel trials, rate limits; null for simulated time. */
  timing: string | null
  /** Agents, with the model that the provider reported for real models. */
  models: string[]
  /** The price table with its date, and whether prices of the user came first; null: no prices. */
  prices: string | null
  /** SHA-256 of records.jsonl. */
  data: string
  planned: number
  recorded: number
  /** How the plan was changed during the run; absent if it was not. */
  amended?: string
  /** Whether a limit of the run stopped it before its end. */
  stoppedByLimit: boolean
}

/** Facts for the notes of a comparison. */
export interface ComparisonFacts {
  runs: RunFacts[]
  /** Source of family, outcome and margin: the plan of the run, the default, or a pair chosen afterwards. */
  stated: 'plan' | 'default' | 'afterwards'
  /** Number of records at each look at an unfinished run, in order. */
  looks: number[]
  /** Other settings that differ between the runs, as texts. */
  differing: string[]
  /** The command that makes these tables again. */
  command: string
}

/** The comparison, as formats show it. */
export interface ComparisonReport {
  comparison: Comparison
  facts: ComparisonFacts
  /** One row per pair: the primary outcome and its verdict. */
  pairs: Table
  /** One row per pair: what the first spends relative to the second. */
  spending: Table
  /** One row per method: its place on the frontiers of success and spending. */
  frontier: Table
  /** One row per method: variation between and within tasks. */
  spread: Table
  /** One row per pair of methods and pair of sets of agents; null for a single set. */
  interactions: Table | null
  /** One row per pair, with its difference on each suite; null for a single suite. */
  suites: Table | null
  /** One row per pair and property: its difference on tasks with lower and higher values; null where no property splits the tasks. */
  properties: Table | null
  /** One row per pair: results of other procedures; null without them. */
  sensitivity: Table | null
  /** The tables that say something, in their order. */
  tables: Table[]
  /** Further tables for readers who check the procedures: shown with the definitions. */
  details: Table[]
  /** All notes of the tables. */
  notes: Note[]
}

/** Creates the tables of a comparison; null without a pair. */
export function createComparisonReport(
  comparison: Comparison,
  facts: ComparisonFacts,
): ComparisonReport | null {
  if (comparison.pairs.length === 0) return null
  const made = createTables(comparison, facts)
  const tables = [
    made.pairs,
    made.interactions,
    made.suites,
    made.spending,
    hasFrontierNews(comparison) ? made.frontier : null,
    hasSpread(comparison) ? made.spread : null,
    made.properties,
  ].filter((table) => table !== null)
  const details = made.sensitivity ? [made.sensitivity] : []
  const notes = comparisonNotes(comparison, facts, tables)
  return { comparison, facts, ...made, tables, details, notes: createTable('', [], [], notes).notes }
}

function propertyTable(comparison: Comparison, facts: ComparisonFacts): Table | null {
  const { byProperty = [], outcome } = comparison
  if (byProperty.length === 0) return null
  const table = createTable(
    `How the difference in ${outcome} varies with properties of the tasks (exploratory)${marksOf(comparison)}`,
    propertyColumns(comparison),
    byProperty,
    propertyTableNotes(comparison, facts),
  )
  // The change without the two groups would hide which of them it comes from.
  return { ...table, isSplit: true }
}

function createTables(comparison: Comparison, facts: ComparisonFacts) {
  const { pairs, methods, suites, interactions } = comparison
  const marks = marksOf(comparison)
  const others = sensitivityRows(comparison)
  const about = `${counted(pairs.length, 'pair')} on ${pairedTasksText(comparison)}${marks}`
  const ofPairs = createTable(
    `Comparison of ${comparison.outcome}: ${about}`,
    pairColumns(comparison),
    pairs,
    [],
  )
  const ofInteractions =
    interactions.length === 0
      ? null
      : createTable(
          `How much the difference of methods depends on the agents${marks}`,
          interactionColumns(comparison),
          interactions,
          interactionTableNotes(comparison, facts),
        )
  return {
    pairs: ofPairs,
    spending: createTable(
      `Spending of the first as a multiple of the second${marks}`,
      spendingColumns(comparison),
      pairs,
      [],
    ),
    frontier: createTable(
      `Who is on the frontier of ${comparison.outcome} and spending${marks}`,
      frontierColumns(comparison),
      frontierRows(comparison),
      [],
    ),
    spread: createTable(`How much tasks and epochs differ${marks}`, spreadColumns(comparison), methods, []),
    interactions: ofInteractions,
    suites:
      suites.length === 0
        ? null
        : createTable(
            `Difference in ${comparison.outcome} by suite${marks}`,
            suiteColumns(comparison),
            suiteRows(comparison),
            [],
          ),
    properties: propertyTable(comparison, facts),
    sensitivity:
      others.length === 0
        ? null
        : createTable(`By other procedures${marks}`, sensitivityColumns(comparison), others, []),
  }
}

/** Returns `20 tasks`, or `16 to 18 of 20 tasks` where pairs have fewer. */
function pairedTasksText({ pairs, tasks }: Comparison): string {
  const all = counted(tasks.length, 'task')
  const numbers = pairs.map(({ outcome }) => outcome.nTasks)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (least === tasks.length) return all
  return `${least === most ? least : `${least} to ${most}`} of ${all}`
}

function marksOf({ simulated, calibration, faults }: Comparison): string {
  const marks = [
    ...(simulated ? [calibration ? 'simulated, calibration of the procedures' : 'simulated'] : []),
    ...(faults === null ? [] : ['faults injected']),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

/** A pair with its results on all suites. */
interface PairOnSuites {
  a: string
  b: string
  rows: readonly SuiteRow[]
}

/** Returns one row per pair. */
function suiteRows({ suites, pairs }: Comparison): PairOnSuites[] {
  return pairs.map(({ a, b }) => ({ a, b, rows: suites.filter((row) => row.a === a && row.b === b) }))
}

/** Returns the columns of the table of suites: the difference of each pair on each suite. */
function suiteColumns(comparison: Comparison): ColumnOf<PairOnSuites>[] {
  const names = [...new Set(comparison.suites.map(({ suite }) => suite))]
  return [
    labelColumn('pair', 'pair', pairName),
    simulatedColumn(comparison.simulated),
    ...names.map((name, i) =>
      textColumn<PairOnSuites>(
        `suite_${i}`,
        [name, `points [${confidenceName(comparison)}]`],
        `suite_${i}`,
        ({ rows }) => {
          const row = rows.find(({ suite }) => suite === name)
          if (!row || row.nTasks === 0) return nothing
          return appendOneTask(formatDifference(row, { scale: 100, decimals: 1 }), row.nTasks)
        },
      ),
    ),
  ]
}
