import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'

const maxKnown = 12

/** Returns the problem of an unknown name. It suggests the nearest known name, or lists the first known names. */
export function unknownName(
  where: string,
  kind: string,
  name: string,
  known: readonly string[],
  list: string,
): Problem {
  const more = known.length > maxKnown ? ` … and ${known.length - maxKnown} more` : ''
  return {
    where,
    what: `there is no ${kind} "${name}"`,
    fix:
      didYouMean(name, known, '"') ??
      `Known: ${known.slice(0, maxKnown).join(', ') || 'none'}${more}. See ${list}.`,
  }
}
