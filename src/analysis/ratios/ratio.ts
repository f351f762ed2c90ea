import type { Refusal } from '../refusal.ts'

/** A ratio A / B with its limits; null if there is none. */
export interface Ratio {
  ratio: number | null
  lower: number | null
  upper: number | null
  refusal: Refusal | null
}

/** Returns a ratio without a value, for this reason. */
export function noRatio(refusal: Refusal): Ratio {
  return { ratio: null, lower: null, upper: null, refusal }
}
