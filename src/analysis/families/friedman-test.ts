import { meanOf } from '../numeric/moments.ts'
import { midranks, tieSum } from '../numeric/ranks.ts'
import { chiSquaredTail, fTail } from '../numeric/tails.ts'
import type { Refusal } from '../refusal.ts'

/** Test whether k methods differ in their ranks over tasks. */
interface FriedmanTest {
  chi2: number | null
  df: number
  p: number | null
  /** Kendall's coefficient of concordance, 0 to 1. */
  kendallW: number | null
  /** Mean rank of each method, 1 the best. */
  averageRanks: (number | null)[]
  /** F of Iman and Davenport 1980, less conservative than chi2; null if all tasks agree completely. */
  imanDavenportF: number | null
  pF: number | null
  nTasks: number
  refusal: Refusal | null
}

/**
 * Makes Friedman's test with the correction for ties, on a matrix [task][method] of task means (R: friedman.test). Tasks
 * without a value of every method are dropped. Needs at least two methods.
 */
export function friedmanTest(
  matrix: readonly (readonly (number | null)[])[],
  higherIsBetter: boolean,
): FriedmanTest {
  const rows = matrix.filter((row): row is readonly number[] => row.every((value) => value !== null))
  const n = rows.length
  const k = matrix[0]?.length ?? 0
  const df = k - 1
  const none = { chi2: null, df, p: null, kendallW: null, imanDavenportF: null, pF: null, nTasks: n }
  if (n === 0) return { ...none, averageRanks: Array(k).fill(null), refusal: 'no-task' }
  const ranks = rows.map((row) => midranks(higherIsBetter ? row.map((value) => -value) : row))
  const averageRanks = Array.from({ length: k }, (_, method) =>
    meanOf(ranks.map((row) => row[method] as number)),
  )
  const untied = 1 - ranks.reduce((sum, row) => sum + tieSum(row), 0) / (n * k * (k * k - 1))
  if (untied < 1e-12) return { ...none, averageRanks, refusal: 'not-separated' }
  const squares = averageRanks.reduce((sum, rank) => sum + (rank - (k + 1) / 2) ** 2, 0)
  const chi2 = (12 * n * squares) / (k * (k + 1)) / untied
  const rest = n * df - chi2
  const f = rest > 1e-9 * n ? ((n - 1) * chi2) / rest : null
  return {
    chi2,
    df,
    p: chiSquaredTail(chi2, df),
    kendallW: chi2 / (n * df),
    averageRanks,
    imanDavenportF: f,
    pF: f === null || n < 2 ? null : fTail(f, df, df * (n - 1)),
    nTasks: n,
    refusal: null,
  }
}
