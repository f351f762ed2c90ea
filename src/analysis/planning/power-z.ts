import { normalQuantile } from '../numeric/normal.ts'

/** Returns the sum of the normal quantiles of a two-sided test at level `alpha` and of its power. */
export function powerZ(alpha: number, power: number): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power)
}
