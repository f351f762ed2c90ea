import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import { type ColumnOf, createTable, type Note, type Table } from '../tables/table.ts'
import { counted, formatShare, unknown } from '../words/numbers.ts'
import { dataColumn, labelColumn, simulatedColumn, textColumn } from './column.ts'
import { comparisonNotes, interactionTableNotes, shortNotes } from './comparison-notes.ts'
import type { ComparisonFacts } from './facts.ts'
import { frontierColumns, frontierRows } from './frontier-columns.ts'
import { interactionColumns } from './interaction-columns.ts'
import { pairColumns, pairName } from './pair-columns.ts'
import { appendOneTask, formatDifference, formatP, formatRefusal } from './result-text.ts'
import { sensitivityColumns, sensitivityRows } from './sensitivity-columns.ts'
import { spendingColumns, spendingRows } from './spending-columns.ts'
import { spreadColumns } from './spread-columns.ts'

/** The comparison, as formats show it. */
export interface ComparisonReport {
  comparison: Comparison
  facts: ComparisonFacts
  /** One row per pair: the primary outcome and its verdict, with the few notes that it always needs. */
  pairs: Table
  /** One row per pair and kind of spending, with the success difference. */
  spending: Table
  /** One row per method: its place on the frontiers of success and spending. */
  frontier: Table
  /** One row per method: variation between and within tasks. */
  spread: Table
  /** One row per pair of methods and pair of sets of agents; null for a single set. */
  interactions: Table | null
  /** One row per suite and pair; null for a single suite. */
  suites: Table | null
  /** One row per pair: results of other procedures; null without them. */
  sensitivity: Table | null
  /** All tables in their order. */
  tables: Table[]
  /** All notes of the tables. */
  notes: Note[]
}

/** Creates the tables of a comparison; null without a pair. */
export function createComparisonReport(
  comparison: Comparison,
  facts: ComparisonFacts,
): ComparisonReport | null {
  const { pairs, methods, suites, interactions } = comparison
  if (pairs.length === 0) return null
  const marks = marksOf(comparison)
  const others = sensitivityRows(comparison)
  const about = `${counted(pairs.length, 'pair')} on ${counted(comparison.tasks.length, 'task')}${marks}`
  const parts = {
    pairs: createTable(
      `Comparison of ${comparison.outcome}: ${about}`,
      pairColumns(comparison),
      pairs,
      shortNotes(comparison, facts),
    ),
    spending: createTable(
      `What A saves against B${marks}`,
      spendingColumns(comparison),
      spendingRows(comparison),
      [],
    ),
    frontier: createTable(
      `Who is on the frontier of ${comparison.outcome} and spending${marks}`,
      frontierColumns(comparison),
      frontierRows(comparison),
      [],
    ),
    spread: createTable(`How much tasks and epochs differ${marks}`, spreadColumns(comparison), methods, []),
    interactions:
      interactions.length === 0
        ? null
        : createTable(
            `How much the difference of methods depends on the agents${marks}`,
            interactionColumns(comparison),
            interactions,
            interactionTableNotes(comparison, facts),
          ),
    suites:
      suites.length === 0 ? null : createTable(`By suite${marks}`, suiteColumns(comparison), suites, []),
    sensitivity:
      others.length === 0
        ? null
        : createTable(`By other procedures${marks}`, sensitivityColumns(comparison), others, []),
  }
  const { pairs: first, interactions: second, suites: bySuite, sensitivity, ...rest } = parts
  const { spending, frontier, spread } = rest
  return {
    comparison,
    facts,
    ...parts,
    tables: [first, second, spending, frontier, spread, bySuite, sensitivity].filter(
      (table) => table !== null,
    ),
    notes: createTable('', [], [], comparisonNotes(comparison, facts)).notes,
  }
}

function marksOf({ simulated, calibration, faults }: Comparison): string {
  const marks = [
    ...(simulated ? [calibration ? 'simulated, calibration of the procedures' : 'simulated'] : []),
    ...(faults === null ? [] : ['faults injected']),
  ]
  return marks.length > 0 ? ` (${marks.join(', ')})` : ''
}

/** Returns the columns of the table of suites. */
function suiteColumns(comparison: Comparison): ColumnOf<SuiteRow>[] {
  const isTested = comparison.suites.some(({ adjustedP }) => adjustedP !== null)
  const share = (value: number | null) => (value === null ? unknown : formatShare(value))
  return [
    labelColumn('suite', 'suite', ({ suite }) => suite),
    labelColumn('pair', 'A - B', pairName),
    simulatedColumn(comparison.simulated),
    textColumn('tasks_text', ['tasks', 'paired'], 'suite', ({ nTasks }) => String(nTasks)),
    textColumn('a_text', ['A', '%'], 'suite', ({ meanA }) => share(meanA)),
    textColumn('b_text', ['B', '%'], 'suite', ({ meanB }) => share(meanB)),
    textColumn(
      'difference_text',
      [comparison.outcome, `A - B, points [${confidenceName(comparison)}]`],
      'suite',
      (row) => appendOneTask(formatDifference(row, { scale: 100, decimals: 1 }), row.nTasks),
    ),
    ...(isTested
      ? [
          textColumn('p_text', ['p', 'Holm, suites'], 'suite', ({ adjustedP, refusal }: SuiteRow) =>
            adjustedP === null ? formatRefusal(refusal) : formatP(adjustedP),
          ),
        ]
      : []),
    dataColumn('tasks', '', ({ nTasks }) => nTasks),
    dataColumn('mean_a', 'share', ({ meanA }) => meanA),
    dataColumn('mean_b', 'share', ({ meanB }) => meanB),
    dataColumn('difference', 'share', ({ estimate }) => estimate),
    dataColumn('difference_lower', 'share', ({ lower }) => lower),
    dataColumn('difference_upper', 'share', ({ upper }) => upper),
    dataColumn('p_adjusted', 'Holm over the suites of the pair', ({ adjustedP }) => adjustedP),
    dataColumn('no_p_because', '', ({ refusal }) => refusal),
  ]
}
