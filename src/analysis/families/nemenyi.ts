import { studentizedRangeQuantile } from '../numeric/studentized-range.ts'

/**
 * Returns the critical difference of the average ranks of two of k methods over n tasks (Nemenyi 1963; Demsar 2006, whose
 * table lists `q`). It is for rank diagrams, not evidence that one method beats another in points.
 */
export function nemenyiCriticalDifference(k: number, n: number, alpha: number): { q: number; cd: number } {
  const q = studentizedRangeQuantile(alpha, k) / Math.SQRT2
  return { q, cd: q * Math.sqrt((k * (k + 1)) / (6 * n)) }
}
