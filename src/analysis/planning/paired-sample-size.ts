import { bisect } from 'simple-statistics'
import { normalQuantile, normalTail } from '../numeric/normal.ts'
import { noncentralTail, studentQuantile } from '../numeric/student.ts'

/** Components of the variance of a task difference A - B, in the squared unit of the outcome. */
export interface DifferenceVariance {
  /** Variance over tasks of the true difference. */
  omega2: number
  /** Variance of single trials around their task's mean. */
  sigma2A: number
  sigma2B: number
  epochsA: number
  epochsB: number
}

/** Returns the variance of the observed difference of task means; with infinitely many epochs it is `omega2`. */
export function differenceVariance(parts: DifferenceVariance): number {
  return parts.omega2 + parts.sigma2A / parts.epochsA + parts.sigma2B / parts.epochsB
}

/**
 * Returns the tasks needed to find a mean difference of `delta` with a two-sided paired test (Miller 2024, eq. 9):
 * `nExact`, and `n` rounded up.
 */
export function pairedSampleSize(
  parts: DifferenceVariance,
  delta: number,
  alpha: number,
  power: number,
): { n: number; nExact: number } {
  const nExact = (powerZ(alpha, power) ** 2 * differenceVariance(parts)) / delta ** 2
  return { n: Math.ceil(nExact), nExact }
}

/** Returns the mean difference that `nTasks` tasks find with this power, in the outcome's unit (Miller 2024). */
export function minimumDetectableEffect(
  parts: DifferenceVariance,
  nTasks: number,
  alpha: number,
  power: number,
): { mde: number } {
  return { mde: powerZ(alpha, power) * Math.sqrt(differenceVariance(parts) / nTasks) }
}

/** Returns the sum of the normal quantiles of a two-sided test at level `alpha` and of its power. */
function powerZ(alpha: number, power: number): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power)
}

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
