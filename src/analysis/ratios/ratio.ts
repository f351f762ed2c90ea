import type { Refusal } from '../refusal.ts'

/** A ratio A / B with its limits; null where there is none. */
export interface Ratio {
  ratio: number | null
  lower: number | null
  upper: number | null
  refusal: Refusal | null
}

/** A ratio that does not exist. */
export function noRatio(refusal: Refusal): Ratio {
  return { ratio: null, lower: null, upper: null, refusal }
}
