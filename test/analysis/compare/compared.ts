import { type CompareOptions, compareMethods } from '../../../src/analysis/compare/compare.ts'
import type { Comparison, PairComparison } from '../../../src/analysis/compare/comparison.ts'
import { createComparisonData } from '../../../src/analysis/compare/rows.ts'
import type { TrialRecord } from '../../../src/schema/ledger/record.ts'
import { aRecord } from '../records.ts'

/** Compares records, by default with few resamples. */
export function compare(records: readonly TrialRecord[], options: CompareOptions = {}): Comparison {
  const comparisonData = createComparisonData()
  for (const record of records) comparisonData.add(record)
  return compareMethods(comparisonData, { resamples: 500, ...options })
}

/** Records of one method: a string of 0, 1 and - (missing) for each task, an epoch a character. */
export function trials(method: string, rows: readonly string[], more: Parameters<typeof aRecord>[0] = {}) {
  return rows.flatMap((row, task) =>
    [...row].map((mark, epoch) =>
      aRecord({
        ...more,
        method,
        task: `s/${String(task).padStart(3, '0')}`,
        epoch: epoch + 1,
        ...(mark === '-' ? { status: 'error' as const } : { passed: mark === '1' }),
      }),
    ),
  )
}
/** The same row for several tasks. */
export const repeat = (row: string, times: number) => Array.from({ length: times }, () => row)
/** `method` passes its first n of `tasks` tasks, one epoch each. */
export const solves = (method: string, n: number, tasks: number, more: Parameters<typeof aRecord>[0] = {}) =>
  trials(method, [...repeat('1', n), ...repeat('0', tasks - n)], more)
/** The pair of a comparison of two methods. */
export function onlyPair({ pairs }: Comparison): PairComparison {
  const [pair] = pairs
  if (!pair || pairs.length > 1) throw new Error(`${pairs.length} pairs`)
  return pair
}
