import { bisect } from 'simple-statistics'
import { meanOf, midranks, tieSum } from '../numeric/moments.ts'
import { normalTail } from '../numeric/normal.ts'
import { chiSquaredTail, fTail } from '../numeric/tails.ts'
import type { Refusal } from '../refusal.ts'

/**
 * Returns the (1 - alpha)-quantile of the range of k independent standard normal numbers (studentized range, infinite degrees
 * of freedom); absolute error below 1e-8. The distribution function k ∫ φ(z) (Φ(z) - Φ(z - q))^(k-1) dz (David and
 * Nagaraja 2003, 2.3) by the trapezoidal rule, which converges exponentially here.
 */
export function studentizedRangeQuantile(alpha: number, k: number): number {
  return bisect((q) => rangeShare(q, k) - (1 - alpha), 0, 100, 60, 1e-9)
}

function rangeShare(q: number, k: number): number {
  const width = 1 / 4
  let sum = 0
  for (let z = -9; z <= 9 + q; z += width) {
    const inside = normalTail(z - q) - normalTail(z)
    sum += Math.exp((-z * z) / 2) * inside ** (k - 1)
  }
  return (k * sum * width) / Math.sqrt(2 * Math.PI)
}

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

/**
 * Returns the critical difference of the average ranks of two of k methods over n tasks (Nemenyi 1963; Demsar 2006, whose
 * table lists `q`). It is for rank diagrams, not evidence that one method beats another in points.
 */
export function nemenyiCriticalDifference(k: number, n: number, alpha: number): { q: number; cd: number } {
  const q = studentizedRangeQuantile(alpha, k) / Math.SQRT2
  return { q, cd: q * Math.sqrt((k * (k + 1)) / (6 * n)) }
}

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

/**
 * Returns the p-value of a one-way analysis of variance: do the means of groups of values differ? Null with fewer than two
 * groups, no value beyond one for each, or no variation at all (R: oneway.test(var.equal = TRUE)).
 */
export function oneWayAnovaP(groups: readonly (readonly number[])[]): number | null {
  const filled = groups.filter((group) => group.length > 0)
  const all = filled.flat()
  const [between, within] = [filled.length - 1, all.length - filled.length]
  if (between < 1 || within < 1) return null
  const centre = meanOf(all)
  const means = filled.map((group) => meanOf(group))
  const explained = filled.reduce(
    (sum, group, at) => sum + group.length * ((means[at] as number) - centre) ** 2,
    0,
  )
  const rest = filled.reduce(
    (sum, group, at) =>
      sum + group.reduce((squares, value) => squares + (value - (means[at] as number)) ** 2, 0),
    0,
  )
  const noise = 1e-20 * all.length
  if (rest <= noise) return explained <= noise ? null : 0
  return fTail(explained / between / (rest / within), between, within)
}
