import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { type ColumnOf, createTable, type Note, type Table } from '../tables/table.ts'
import { counted, nothing } from '../words/numbers.ts'
import { labelColumn, simulatedColumn, textColumn } from './column.ts'
import { comparisonNotes, interactionTableNotes, propertyTableNotes } from './comparison-notes.ts'
import type { ComparisonFacts } from './facts.ts'
import { frontierColumns, frontierRows } from './frontier-columns.ts'
import { interactionColumns } from './interaction-columns.ts'
import { hasSpread } from './notes/definitions.ts'
import { hasFrontierNews } from './notes/frontier-notes.ts'
import { pairColumns, pairName } from './pair-columns.ts'
import { propertyColumns } from './property-columns.ts'
import { appendOneTask, formatDifference } from './result-text.ts'
import { sensitivityColumns, sensitivityRows } from './sensitivity-columns.ts'
import { spendingColumns } from './spending-columns.ts'
import { spreadColumns } from './spread-columns.ts'

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
