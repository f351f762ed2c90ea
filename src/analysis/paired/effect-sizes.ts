import { mean, midranks, roundOffNoise, variance } from '../numeric/moments.ts'

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

/** Effect sizes of paired differences, without a unit. */
export interface PairedEffectSizes {
  /** Share of tasks that A wins, ties counted half. */
  pSuperiority: number | null
  /** Matched-pairs rank-biserial correlation (Kerby 2014), zeros dropped; null if all are 0. */
  rankBiserial: number | null
  /** Mean over standard deviation of the differences; null if all are equal. */
  cohensDz: number | null
}

/** Computes the effect sizes of task differences A - B. */
export function pairedEffectSizes(values: readonly number[]): PairedEffectSizes {
  const clean = roundOffNoise(values)
  const moved = clean.filter((value) => value !== 0)
  const ranks = midranks(moved.map(Math.abs))
  const all = ranks.reduce((sum, rank) => sum + rank, 0)
  const signed = ranks.reduce((sum, rank, index) => sum + rank * Math.sign(moved[index] as number), 0)
  const spread = new Set(clean).size > 1 ? variance(clean) : null
  const centre = mean(clean)
  return {
    pSuperiority: mean(clean.map((value) => (Math.sign(value) + 1) / 2)),
    rankBiserial: moved.length === 0 ? null : signed / all,
    cohensDz: spread === null || centre === null ? null : centre / Math.sqrt(spread),
  }
}
