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
