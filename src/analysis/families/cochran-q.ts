import { chiSquaredTail } from '../numeric/tails.ts'
import type { Refusal } from '../refusal.ts'

/**
 * Tests whether k methods solve the same share of tasks, with one trial each: Cochran 1950 (statsmodels: cochrans_q).
 * `matrix` is [task][method] of 0 and 1. Tasks that all or no methods solve do not count; without others there is no test.
 */
export function cochranQTest(matrix: readonly (readonly number[])[]): {
  q: number | null
  df: number
  p: number | null
  refusal: Refusal | null
} {
  const k = matrix[0]?.length ?? 0
  const df = k - 1
  const solved = matrix.map((row) => row.reduce((sum, value) => sum + value, 0))
  const total = solved.reduce((sum, count) => sum + count, 0)
  const squares = Array.from({ length: k }, (_, method) =>
    matrix.reduce((sum, row) => sum + (row[method] as number), 0),
  ).reduce((sum, count) => sum + count ** 2, 0)
  const informative = k * total - solved.reduce((sum, count) => sum + count ** 2, 0)
  if (informative === 0)
    return { q: null, df, p: null, refusal: matrix.length === 0 ? 'no-task' : 'not-separated' }
  const q = (df * (k * squares - total ** 2)) / informative
  return { q, df, p: chiSquaredTail(q, df), refusal: null }
}
