import type { Comparison } from '../../analysis/compare/comparison.ts'
import { type ColumnOf, createTable, type Note, type Table } from '../tables/table.ts'
import { setsWord } from '../tables/task-columns.ts'
import { marksOf } from '../words/evidence-text.ts'
import { counted, present } from '../words/numbers.ts'
import { choiceColumns, choiceTitle } from './choice-columns.ts'
import { comparisonNotes, partNotes } from './comparison-notes.ts'
import { hasSpread, propertyNotes } from './definitions.ts'
import { frontierColumns, frontierRows, spreadColumns } from './method-tables.ts'
import { pairColumns } from './pair-columns.ts'
import {
  interactionColumns,
  propertyColumns,
  sensitivityColumns,
  sensitivityRows,
  spendingColumns,
} from './pair-tables.ts'
import type { ComparisonFacts } from './run-notes.ts'
import { hasFrontierNews } from './spending-notes.ts'
import { suiteColumns, suiteRows } from './suite-columns.ts'

/** The comparison, as formats show it. */
export interface ComparisonReport {
  comparison: Comparison
  facts: ComparisonFacts
  /** One row per pair: the primary outcome and its verdict. */
  pairs: Table
  /** One row per pair of methods and pair of sets of agents; null for a single set. */
  interactions: Table | null
  /** One row per pair and property: its difference on tasks with lower and higher values; null where no property splits the tasks. */
  properties: Table | null
  /** The tables that say something, in their order. */
  tables: Table[]
  /** Further tables for readers who check the procedures: shown with the definitions. */
  details: Table[]
  notes: Note[]
}

/** Creates the tables of a comparison; null without a pair. */
export function createComparisonReport(
  comparison: Comparison,
  facts: ComparisonFacts,
): ComparisonReport | null {
  const { methods, suites, outcome, byProperty = [], choices = [] } = comparison
  const marks = marksOf(comparison)
  const table = <Row>(
    title: string,
    columns: ColumnOf<Row>[],
    rows: readonly Row[],
    notes: Note[] = [],
  ): Table | null => (rows.length === 0 ? null : createTable(`${title}${marks}`, columns, rows, notes))
  const about = `${counted(comparison.pairs.length, 'pair')} on ${pairedTasksText(comparison)}`
  const pairs = table(`Comparison of ${outcome}: ${about}`, pairColumns(comparison), comparison.pairs)
  if (pairs === null) return null
  const interactions = table(
    `How much the difference of methods depends on the ${setsWord(comparison.methods)}`,
    interactionColumns(comparison),
    comparison.interactions,
    partNotes(comparison, facts),
  )
  const split = table(
    `How the difference in ${outcome} varies with properties of the tasks (exploratory)`,
    propertyColumns(comparison),
    byProperty,
    partNotes(comparison, facts, propertyNotes(comparison)),
  )
  // The change without the two groups would hide which of them it comes from.
  const properties = split && { ...split, isSplit: true }
  const tables = present([
    pairs,
    interactions,
    suites.length > 0 &&
      table(`Difference in ${outcome} by suite`, suiteColumns(comparison), suiteRows(comparison)),
    table('Spending of the first as a multiple of the second', spendingColumns(comparison), comparison.pairs),
    hasFrontierNews(comparison) &&
      table(
        `Who is on the frontier of ${outcome} and spending`,
        frontierColumns(comparison),
        frontierRows(comparison),
      ),
    hasSpread(comparison) && table('How much tasks and epochs differ', spreadColumns(comparison), methods),
    properties,
    table(choiceTitle(outcome), choiceColumns(comparison), choices),
  ])
  const details = present([
    table('By other procedures', sensitivityColumns(comparison), sensitivityRows(comparison)),
  ])
  const { notes } = createTable('', [], [], comparisonNotes(comparison, facts, tables))
  return { comparison, facts, pairs, interactions, properties, tables, details, notes }
}

/** Returns `20 tasks`, or `16 to 18 of 20 tasks` where pairs have fewer. */
function pairedTasksText({ pairs, tasks }: Comparison): string {
  const all = counted(tasks.length, 'task')
  const numbers = pairs.map(({ outcome }) => outcome.nTasks)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  if (least === tasks.length) return all
  return `${least === most ? least : `${least} to ${most}`} of ${all}`
}
