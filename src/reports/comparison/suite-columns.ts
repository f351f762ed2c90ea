import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { confidenceName } from '../tables/method-columns.ts'
import type { ColumnOf } from '../tables/table.ts'
import { nothing } from '../words/numbers.ts'
import { labelColumn, simulatedColumn, textColumn } from './column.ts'
import { pairName } from './pair-columns.ts'
import { appendOneTask, formatDifference } from './result-text.ts'

/** A pair with its results on all suites. */
export interface PairOnSuites {
  a: string
  b: string
  rows: readonly SuiteRow[]
}

/** Returns one row per pair. */
export function suiteRows({ suites, pairs }: Comparison): PairOnSuites[] {
  return pairs.map(({ a, b }) => ({ a, b, rows: suites.filter((row) => row.a === a && row.b === b) }))
}

/** Returns the columns of the table of suites: the difference of each pair on each suite. */
export function suiteColumns(comparison: Comparison): ColumnOf<PairOnSuites>[] {
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
