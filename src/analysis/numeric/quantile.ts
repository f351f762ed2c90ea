/** The p-quantile by linear interpolation between order statistics: type 7 of Hyndman and Fan 1996, R's and NumPy's default. Null of no values. */
export function quantile(values: readonly number[] | Float64Array, p: number): number | null {
  return values.length === 0 ? null : quantileOfSorted(Float64Array.from(values).sort(), p)
}

/** The same of one value or more that stand in ascending order. */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const place = p * (sorted.length - 1)
  const below = Math.floor(place)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  // Equal ends must not pick up rounding.
  return low === high ? low : low + (place - below) * (high - low)
}
