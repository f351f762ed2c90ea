import { mean, variance } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from '../tasks/interval.ts'

/**
 * Computes the confidence sequence of a mean at the last value: approximately valid at every look from about 30 values on.
 * Normal mixture of Waudby-Smith et al. 2024 (Annals of Statistics), theorem 2.2. `rho` is fixed before the first look, see
 * `rhoFor`. No limits for one value or equal values.
 */
export function asymptoticConfidenceSequence(
  values: readonly number[],
  alpha: number,
  rho: number,
): Interval & { refusal: Refusal | null } {
  const estimate = mean(values)
  const spread = variance(values)
  const none = { estimate, lower: null, upper: null }
  if (estimate === null) return { ...none, refusal: 'no-task' }
  if (spread === null) return { ...none, refusal: 'one-task' }
  if (spread === 0) return { ...none, refusal: 'no-spread' }
  const n = values.length
  const mixed = n * rho ** 2 + 1
  const half = Math.sqrt((spread * mixed * Math.log(mixed / alpha ** 2)) / (n * rho) ** 2)
  return { estimate, lower: estimate - half, upper: estimate + half, refusal: null }
}

/** Returns the smallest alpha at which the sequence excludes 0 at the last value: the same formula solved for alpha; at most 1. */
export function asymptoticP(values: readonly number[], rho: number): number {
  const estimate = mean(values)
  const spread = variance(values)
  if (estimate === null || spread === null || spread === 0) return 1
  const n = values.length
  const mixed = n * rho ** 2 + 1
  return Math.min(1, Math.sqrt(mixed) * Math.exp(-((estimate * n * rho) ** 2) / (2 * spread * mixed)))
}

/** Returns the `rho` that makes the sequence narrowest at `n` values, the hoped-for stop (same source). */
export function rhoFor(n: number, alpha: number): number {
  const log = -2 * Math.log(alpha)
  return Math.sqrt((log + Math.log(1 + log)) / n)
}
