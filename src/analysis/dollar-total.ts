import type { Amount } from './summary.ts'

/** A sum of US dollars: whether any of it is known, and whether a part is unknown. */
export interface Total {
  sum: number
  known: boolean
  partly: boolean
}

/** Returns a total of nothing. */
export const emptyTotal = (): Total => ({ sum: 0, known: false, partly: false })

/** Adds a cost: `whole` if all of it is known, else the known `part`. */
export function addDollars(total: Total, whole: number | null, part: number | null): void {
  total.sum += whole ?? part ?? 0
  if (whole === null) total.partly = true
  if (whole !== null || part !== null) total.known = true
}

/** Returns the known sum, or an unknown amount if nothing is known. */
export function toTotalAmount({ sum, known, partly }: Total): Amount {
  return known ? toAmount(sum, partly) : { value: null, lowerBound: false }
}

/** Returns the amount. A lower bound of 0 becomes unknown, since "at least 0" says nothing. */
export function toAmount(value: number | null, lowerBound: boolean): Amount {
  return value === null || (value === 0 && lowerBound)
    ? { value: null, lowerBound: false }
    : { value, lowerBound }
}
