import { bisect } from 'simple-statistics'
import { noncentralTail, studentQuantile } from '../numeric/student.ts'

/**
 * Tasks needed for a two-sided paired t test when differences have standard deviation `sd`, both tails counted
 * (R: power.t.test(strict = TRUE)); for small n, where the normal formula is too low. At least 2.
 */
export function pairedTSampleSize(
  sd: number,
  delta: number,
  alpha: number,
  power: number,
): { n: number; nExact: number } {
  const effect = Math.abs(delta) / sd
  const excess = (n: number) => pairedTPower(effect, n, alpha) - power
  let high = 2
  while (excess(high) < 0) high *= 2
  const nExact = high === 2 ? 2 : bisect(excess, high / 2, high, 100, 1e-7)
  return { n: Math.ceil(nExact), nExact }
}

/** Power of a two-sided paired t test at a mean difference of `effect` standard deviations; n may be a fraction above 1. */
export function pairedTPower(effect: number, n: number, alpha: number): number {
  const df = n - 1
  const critical = studentQuantile(1 - alpha / 2, df)
  const shift = effect * Math.sqrt(n)
  return noncentralTail(critical, df, shift) + noncentralTail(critical, df, -shift)
}
