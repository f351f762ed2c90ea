import type { Comparison, SuiteRow } from '../../analysis/compare/comparison.ts'
import { type PaperColumn, paperEstimate, paperNumber, paperWords } from '../tables/paper-columns.ts'
import { type ColumnOf, labelColumn, simulatedColumn, textColumn } from '../tables/table.ts'
import { nothing } from '../words/numbers.ts'
import { appendOneTask, confidenceName, formatDifference } from '../words/result-text.ts'
import { pairName, pairNames, pText } from './pair-columns.ts'

interface PairOnSuites {
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
    simulatedColumn(comparison),
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

/** Returns the same in a paper, where each pair has a row on each suite. */
export function suitePaper(comparison: Comparison): PaperColumn<SuiteRow>[] {
  const tested = comparison.suites.some(({ adjustedP }) => adjustedP !== null)
  const headings = ['Diff.', 'points', `${confidenceName(comparison)} limits`] as const
  return [
    paperWords('suite', 'Suite', ({ suite }) => suite, 'name'),
    ...pairNames,
    paperNumber('tasks', ['Tasks', ''], ({ nTasks }) => String(nTasks)),
    ...paperEstimate<SuiteRow>('difference', headings, (row) => row, {
      refusal: ({ nTasks }) => (nTasks === 1 ? 'one-task' : null),
    }),
    ...(tested ? [paperNumber<SuiteRow>('p', ['p', ''], (row) => pText(row))] : []),
  ]
}
