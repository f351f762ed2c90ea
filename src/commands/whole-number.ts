import type { Problem } from '../errors.ts'
import { decimalOf } from './decimal.ts'

/** A whole number of at least `least`, or `fallback` when none is given; adds a problem for anything else. */
export function wholeNumber(
  problems: Problem[],
  flag: string,
  text: string | undefined,
  fallback: number,
  least = 1,
): number {
  if (text === undefined) return fallback
  const value = decimalOf(text)
  const fault =
    wholeNumberFault(text) ?? (value < least ? `is not a whole number of at least ${least}` : undefined)
  if (fault === undefined) return value
  problems.push({
    where: `${flag} ${text}`,
    what: fault === noWhole ? `${noWhole} of at least ${least}` : fault,
    fix: `Write for example ${flag} ${Math.max(fallback, least)}.`,
  })
  return fallback
}

const noWhole = 'is not a whole number'

/** Why a text is no whole number that is held exactly and written in digits; undefined where it is one. */
function wholeNumberFault(text: string): string | undefined {
  const value = decimalOf(text)
  const isWritten = /^[+-]?\d+$/.test(text.trim())
  if (!isWritten && !Number.isInteger(value)) return noWhole
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `is too large: whole numbers go up to ${Number.MAX_SAFE_INTEGER}`
  return isWritten ? undefined : 'is not written in digits alone'
}
