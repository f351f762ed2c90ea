import { mean, variance } from '../numeric/moments.ts'
import { midranks, roundOffNoise } from '../numeric/ranks.ts'

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
