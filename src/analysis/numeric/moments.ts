import * as simple from 'simple-statistics'

/** Returns the arithmetic mean, summed with compensation; null without values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : simple.mean(values as number[])
}

/** Returns the mean of one or more values. Throws without values. */
export function meanOf(values: readonly number[]): number {
  return simple.mean(values as number[])
}

/** Returns the unbiased variance (n - 1), in two passes; null with fewer than two values. */
export function variance(values: readonly number[]): number | null {
  return values.length < 2 ? null : simple.sampleVariance(values as number[])
}

/** Returns the unbiased covariance (n - 1) of pairs; null with fewer than two. */
export function covariance(x: readonly number[], y: readonly number[]): number | null {
  return x.length < 2 ? null : simple.sampleCovariance(x as number[], y as number[])
}

/** Returns the standard error of the mean; null with fewer than two values. */
export function standardError(values: readonly number[]): number | null {
  const spread = variance(values)
  return spread === null ? null : Math.sqrt(spread / values.length)
}

/** Returns the adjusted Fisher-Pearson skewness; 0 for fewer than three values, and for equal ones, which cannot show any. */
export function adjustedSkewness(values: readonly number[]): number {
  const n = values.length
  if (n < 3) return 0
  const centre = meanOf(values)
  const moment = (power: number) => meanOf(values.map((value) => (value - centre) ** power))
  const spread = moment(2)
  return spread === 0 ? 0 : (Math.sqrt(n * (n - 1)) / (n - 2)) * (moment(3) / spread ** 1.5)
}
