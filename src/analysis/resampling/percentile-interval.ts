import { quantileOfSorted } from '../numeric/quantile.ts'

/** Returns the middle share of bootstrap replicates (type-7 quantiles); null without replicates. Too narrow for few tasks: a description, not a test. */
export function percentileInterval(
  replicates: readonly number[] | Float64Array,
  confidence: number,
): { lower: number | null; upper: number | null } {
  if (replicates.length === 0) return { lower: null, upper: null }
  const sorted = Float64Array.from(replicates).sort()
  const tail = (1 - confidence) / 2
  return { lower: quantileOfSorted(sorted, tail), upper: quantileOfSorted(sorted, 1 - tail) }
}
