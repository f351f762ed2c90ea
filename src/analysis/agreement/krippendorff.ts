/** Agreement of raters. `alpha` is null where it has no value: `because` says why. */
export interface Alpha {
  alpha: number | null
  /** Units with at least two values, and their values. */
  units: number
  values: number
  because: 'no-pairs' | 'no-variation' | null
}

/**
 * Returns Krippendorff's alpha with the interval metric: 1 is perfect agreement, 0 what chance gives, below 0 is systematic
 * disagreement. Each unit holds the values that its raters gave; a rater may leave units out. Source: Krippendorff, "Computing
 * Krippendorff's Alpha-Reliability" (2011), with the coincidences written as sums over pairs of values.
 */
export function krippendorffAlpha(ratings: readonly (readonly number[])[]): Alpha {
  const units = ratings.filter((values) => values.length > 1)
  const all = units.flat()
  const counts = { units: units.length, values: all.length }
  if (units.length === 0) return { alpha: null, ...counts, because: 'no-pairs' }
  const expected = squaredDifferences(all) / (all.length * (all.length - 1))
  if (expected === 0) return { alpha: null, ...counts, because: 'no-variation' }
  const observed =
    units.reduce((sum, values) => sum + squaredDifferences(values) / (values.length - 1), 0) / all.length
  return { alpha: 1 - observed / expected, ...counts, because: null }
}

/** Returns the sum of squared differences over all ordered pairs. Counting from the first value makes it exactly 0 for equal ones. */
function squaredDifferences(values: readonly number[]): number {
  const [first = 0] = values
  const shifted = values.map((value) => value - first)
  const sum = shifted.reduce((total, value) => total + value, 0)
  const squares = shifted.reduce((total, value) => total + value * value, 0)
  return Math.max(0, 2 * (values.length * squares - sum * sum))
}
