import { normalQuantile } from '../numeric/normal.ts'

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
export function powerZ(alpha: number, power: number): number {
  return normalQuantile(1 - alpha / 2) + normalQuantile(power)
}
