import { quantileOfSorted } from '../numeric/quantile.ts'

/** The middle share of bootstrap replicates (type-7 quantiles); null of none. Too narrow for few tasks: a description, no test. */
export function percentileInterval(
  replicates: readonly number[] | Float64Array,
  confidence: number,
): { lower: number | null; upper: number | null } {
  if (replicates.length === 0) return { lower: null, upper: null }
  const sorted = Float64Array.from(replicates).sort()
  const tail = (1 - confidence) / 2
  return { lower: quantileOfSorted(sorted, tail), upper: quantileOfSorted(sorted, 1 - tail) }
}
