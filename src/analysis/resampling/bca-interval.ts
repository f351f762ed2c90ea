import { mean } from '../numeric/moments.ts'
import { normalQuantile, normalTail } from '../numeric/normal.ts'
import { quantileOfSorted } from '../numeric/quantile.ts'
import type { Refusal } from '../refusal.ts'

/** Bias-corrected and accelerated bootstrap interval, with its two corrections. */
export interface BcaInterval {
  lower: number | null
  upper: number | null
  z0: number | null
  acceleration: number | null
  refusal: Refusal | null
}

/**
 * Computes the BCa interval (Efron 1987) from the estimate, its bootstrap replicates and its jackknife values. Replicates
 * equal to the estimate count half, quantiles are of type 7 (SciPy's rule). No interval if the estimate lies outside its
 * replicates, or if all jackknife values are equal.
 */
export function bcaInterval(
  estimate: number,
  replicates: readonly number[] | Float64Array,
  jackknife: readonly number[],
  confidence: number,
): BcaInterval {
  const sorted = Float64Array.from(replicates).sort()
  const below = sorted.reduce((sum, value) => sum + (value < estimate ? 1 : value === estimate ? 0.5 : 0), 0)
  const centre = mean(jackknife)
  const away = jackknife.map((value) => (centre as number) - value)
  const squares = away.reduce((sum, value) => sum + value ** 2, 0)
  const outside = below === 0 || below === sorted.length || sorted[0] === sorted.at(-1)
  if (outside || centre === null || squares <= 1e-24 * jackknife.length * centre ** 2)
    return { lower: null, upper: null, z0: null, acceleration: null, refusal: 'outside-replicates' }
  const z0 = normalQuantile(below / sorted.length)
  const acceleration = away.reduce((sum, value) => sum + value ** 3, 0) / (6 * squares ** 1.5)
  const limit = (p: number) => {
    const z = z0 + normalQuantile(p)
    return quantileOfSorted(sorted, 1 - normalTail(z0 + z / (1 - acceleration * z)))
  }
  const tail = (1 - confidence) / 2
  return { lower: limit(tail), upper: limit(1 - tail), z0, acceleration, refusal: null }
}
