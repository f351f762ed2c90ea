import type { Amount } from './summary.ts'

/** US dollars, and what is known about them. */
export interface Total {
  sum: number
  known: boolean
  partly: boolean
}

/** Nothing yet. */
export const emptyTotal = (): Total => ({ sum: 0, known: false, partly: false })

/** Adds a cost: `whole` where all of it is known, else what is known of it. */
export function addDollars(total: Total, whole: number | null, part: number | null): void {
  total.sum += whole ?? part ?? 0
  if (whole === null) total.partly = true
  if (whole !== null || part !== null) total.known = true
}

/** What is known of it, if anything is. */
export function toTotalAmount({ sum, known, partly }: Total): Amount {
  return known ? toAmount(sum, partly) : { value: null, lowerBound: false }
}

/** "At least 0" says nothing: where nothing at all was reported, the value is unknown. */
export function toAmount(value: number | null, lowerBound: boolean): Amount {
  return value === null || (value === 0 && lowerBound)
    ? { value: null, lowerBound: false }
    : { value, lowerBound }
}
