import { midranks } from '../numeric/ranks.ts'

/**
 * Computes over all pairs of an x and a y: the share with x greater minus the share with y greater (delta), and the share
 * with x greater, ties counted half (A12 of Vargha and Delaney 2000). It ignores the pairing by task, so it describes task
 * means and does not compare methods.
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
