/** A sum of values of which some may be unknown: null if all are, a lower bound if some are. */
export interface KnownSum {
  value: number | null
  lowerBound: boolean
}

/** Returns the sum of the known values; 0 without values. */
export function knownSum(values: readonly (number | null)[]): KnownSum {
  const known = values.filter((value) => value !== null)
  return {
    value: known.length === 0 && values.length > 0 ? null : known.reduce((sum, value) => sum + value, 0),
    lowerBound: known.length > 0 && known.length < values.length,
  }
}
