/** All sign patterns are counted up to this number of values: two halves of 2^15 sums each. */
export const mostHalved = 30

/**
 * Returns the share of all sign patterns whose sum is at least as far from 0 as the observed one; sums within 1e-9 of it
 * count as equal. It lists and sorts the sums of both halves, and counts pairs of them (Horowitz and Sahni 1974).
 */
export function flipShareOfHalves(values: readonly number[]): number {
  const scale = values.reduce((sum, value) => sum + Math.abs(value), 0)
  const observed = Math.abs(values.reduce((sum, value) => sum + value, 0))
  const reach = observed - 1e-9 * scale
  if (reach <= 0) return 1
  const half = values.length >> 1
  const left = patternSums(values.slice(0, half))
  const right = patternSums(values.slice(half))
  let hits = 0
  let from = right.length
  // With a larger left sum, more of the right sums reach far enough.
  for (const sum of left) {
    while (from > 0 && sum + (right[from - 1] as number) >= reach) from--
    hits += right.length - from
  }
  return Math.min(1, (2 * hits) / 2 ** values.length)
}

function patternSums(values: readonly number[]): Float64Array {
  let sums = Float64Array.of(0)
  for (const value of values) {
    const wider = new Float64Array(2 * sums.length)
    wider.set(sums.map((sum) => sum + value))
    wider.set(
      sums.map((sum) => sum - value),
      sums.length,
    )
    sums = wider
  }
  return sums.sort()
}
