import { formatProblem, type Problem, UserError } from '../../text/errors.ts'
import { withNear } from '../../text/near-word.ts'

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** Parses a decimal number. Returns NaN for any other text, including an empty text and `0x10`, which `Number` accepts. */
export const parseDecimal = (text: string): number => (decimal.test(text) ? Number(text) : Number.NaN)

/** Parses a whole number of at least `least`. Returns `fallback` if `text` is undefined, or, with a problem added, invalid. */
export function parseWholeNumber(
  problems: Problem[],
  flag: string,
  text: string | undefined,
  fallback: number,
  least = 1,
): number {
  if (text === undefined) return fallback
  const value = parseDecimal(text)
  const fault = wholeNumberProblem(text) ?? (value < least ? `must be at least ${least}` : undefined)
  if (fault === undefined) return value
  problems.push({
    where: `${flag} ${text}`,
    what: fault === notWhole ? `${notWhole} of at least ${least}` : fault,
    fix: `Write for example ${flag} ${Math.max(fallback, least)}.`,
  })
  return fallback
}

const notWhole = 'is not a whole number'

/** Why a text is not an exact whole number written in digits; undefined if it is. */
function wholeNumberProblem(text: string): string | undefined {
  const value = parseDecimal(text)
  const isWritten = /^[+-]?\d+$/.test(text.trim())
  if (!isWritten && !Number.isInteger(value)) return notWhole
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `is too large: the maximum is ${Number.MAX_SAFE_INTEGER}`
  return isWritten ? undefined : 'must consist of digits only'
}

/** Whether a year, month or day, such as 2025-03, has not begun anywhere on earth. */
export const isLater = (date: string, now = Date.now()): boolean =>
  /^\d{4}(?:-\d\d){0,2}$/.test(date) &&
  date > new Date(now + 14 * 3_600_000).toISOString().slice(0, date.length)

/** Parses one of a few words. Returns `fallback` if `text` is undefined, or, with a problem added, invalid. */
export function parseChoice<Word extends string>(
  problems: Problem[],
  flag: string,
  text: string | undefined,
  words: readonly Word[],
  fallback: Word,
): Word {
  if (text === undefined) return fallback
  const word = words.find((known) => known === text)
  if (word !== undefined) return word
  problems.push({
    where: `${flag} ${text}`,
    what: 'is not a valid value',
    fix: withNear(text, words, `Write ${words.join(' or ')}.`),
  })
  return fallback
}

/** Returns the result of `read`. If `read` throws `UserError`, adds those of its problems that are new, and returns `fallback`. */
export async function collectProblems<Read, Fallback>(
  problems: Problem[],
  read: () => Read | Promise<Read>,
  fallback: Fallback,
): Promise<Read | Fallback> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // Several methods may have one mistake in common.
    const known = new Set(problems.map(formatProblem))
    problems.push(...error.problems.filter((problem) => !known.has(formatProblem(problem))))
    return fallback
  }
}
