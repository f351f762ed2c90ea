import * as simple from 'simple-statistics'

/**
 * Returns the p-quantile of one or more values in ascending order, by linear interpolation between order statistics: type 7
 * of Hyndman and Fan 1996, the default of R and NumPy.
 */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const place = p * (sorted.length - 1)
  const below = Math.floor(place)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  // Interpolating between equal values would add rounding error.
  return low === high ? low : low + (place - below) * (high - low)
}

/** Returns ranks from 1; ties get their mean rank. */
export function midranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number))
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++
    for (let place = from; place < to; place++) ranks[order[place] as number] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}

/** Returns the sum over groups of equal values of t^3 - t, where t is the size of the group; used by tie corrections. */
export function tieSum(values: readonly number[]): number {
  const sizes = new Map<number, number>()
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1)
  return [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0)
}

/**
 * Rounds differences to 1e-12, or to that share of the largest one if it is above 1. Floating-point noise of means of epochs
 * (1/3 + 1/3 - 2/3) would otherwise break ties and zeros.
 */
export function roundOffNoise(differences: readonly number[]): number[] {
  const grid = 1e12 / differences.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return differences.map((value) => Math.round(value * grid) / grid || 0)
}

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
