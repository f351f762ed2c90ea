import * as simple from 'simple-statistics'

/** Arithmetic mean, summed with compensation; null of nothing. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : simple.mean(values as number[])
}

/** Mean of one value or more. Throws on none: for callers that have looked. */
export function meanOf(values: readonly number[]): number {
  return simple.mean(values as number[])
}

/** Unbiased variance (n - 1), two passes; null of fewer than two values. */
export function variance(values: readonly number[]): number | null {
  return values.length < 2 ? null : simple.sampleVariance(values as number[])
}

/** Unbiased covariance (n - 1) of pairs; null of fewer than two. */
export function covariance(x: readonly number[], y: readonly number[]): number | null {
  return x.length < 2 ? null : simple.sampleCovariance(x as number[], y as number[])
}

/** Standard error of the mean; null of fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  const spread = variance(values)
  return spread === null ? null : Math.sqrt(spread / values.length)
}
