import { bisect } from 'simple-statistics'
import { normalQuantile, normalTail } from '../numeric/normal.ts'
import { noncentralTail, studentQuantile } from '../numeric/student.ts'
import { powerZ } from './paired-sample-size.ts'

/** From this n on the normal distribution is used: its result differs by a few tasks, and the tails of t lose precision. */
const normalFrom = 1e6

/**
 * Returns the tasks needed for a two-sided paired t test if differences have standard deviation `sd`, both tails counted
 * (R: power.t.test(strict = TRUE)). The normal formula is too low for small n. At least 2.
 */
export function pairedTSampleSize(
  sd: number,
  delta: number,
  alpha: number,
  power: number,
): { n: number; nExact: number } {
  const effect = Math.abs(delta) / sd
  if ((powerZ(alpha, power) / effect) ** 2 > normalFrom) {
    const nExact = normalSampleSize(effect, alpha, power)
    return { n: Math.ceil(nExact), nExact }
  }
  const excess = (n: number) => pairedTPower(effect, n, alpha) - power
  let high = 2
  while (excess(high) < 0) high *= 2
  const nExact = high === 2 ? 2 : bisect(excess, high / 2, high, 100, 1e-7)
  return { n: Math.ceil(nExact), nExact }
}

/** Returns the same for a large n, by the normal distribution; z^2 / 2 corrects for the estimated variance (Guenther 1981). */
export function normalSampleSize(effect: number, alpha: number, power: number): number {
  const z = normalQuantile(1 - alpha / 2)
  const excess = (shift: number) => normalTail(z - shift) + normalTail(z + shift) - power
  // With one tail the shift would be slightly larger.
  const shift = bisect(excess, 0, powerZ(alpha, power), 100, 1e-12)
  return (shift / effect) ** 2 + z ** 2 / 2
}

/** Computes the power of a two-sided paired t test at a mean difference of `effect` standard deviations; n may be a fraction above 1. */
export function pairedTPower(effect: number, n: number, alpha: number): number {
  const df = n - 1
  const critical = studentQuantile(1 - alpha / 2, df)
  const shift = effect * Math.sqrt(n)
  return noncentralTail(critical, df, shift) + noncentralTail(critical, df, -shift)
}
