import { midranks } from '../numeric/ranks.ts'

/**
 * Of all pairs of a value of x and one of y: the share where x is greater, less that where y is (delta), and the share
 * where x is greater, ties counted half (A12 of Vargha and Delaney 2000). It ignores which task a value is from: a
 * description of task means, no comparison of methods.
 */
export function cliffsDelta(
  x: readonly number[],
  y: readonly number[],
): { delta: number | null; a12: number | null } {
  if (x.length === 0 || y.length === 0) return { delta: null, a12: null }
  const ranks = midranks([...x, ...y])
  const sum = x.reduce((total, _, index) => total + (ranks[index] as number), 0)
  const a12 = (sum - (x.length * (x.length + 1)) / 2) / (x.length * y.length)
  return { delta: 2 * a12 - 1, a12 }
}
