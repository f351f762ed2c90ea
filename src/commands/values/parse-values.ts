import { type Problem, UserError } from '../../text/errors.ts'

const decimal = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i

/** The number that a decimal text says; NaN for all else, of which `Number` takes some, such as nothing and `0x10`. */
export const parseDecimal = (text: string): number => (decimal.test(text) ? Number(text) : Number.NaN)

/** A whole number of at least `least`, or `fallback` when none is given; adds a problem for anything else. */
export function parseWholeNumber(
  problems: Problem[],
  flag: string,
  text: string | undefined,
  fallback: number,
  least = 1,
): number {
  if (text === undefined) return fallback
  const value = parseDecimal(text)
  const fault =
    wholeNumberProblem(text) ?? (value < least ? `is not a whole number of at least ${least}` : undefined)
  if (fault === undefined) return value
  problems.push({
    where: `${flag} ${text}`,
    what: fault === notWhole ? `${notWhole} of at least ${least}` : fault,
    fix: `Write for example ${flag} ${Math.max(fallback, least)}.`,
  })
  return fallback
}

const notWhole = 'is not a whole number'

/** Why a text is no whole number that is held exactly and written in digits; undefined where it is one. */
function wholeNumberProblem(text: string): string | undefined {
  const value = parseDecimal(text)
  const isWritten = /^[+-]?\d+$/.test(text.trim())
  if (!isWritten && !Number.isInteger(value)) return notWhole
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER)
    return `is too large: whole numbers go up to ${Number.MAX_SAFE_INTEGER}`
  return isWritten ? undefined : 'is not written in digits alone'
}

/** One of a few words. */
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
  problems.push({ where: `${flag} ${text}`, what: 'is not known', fix: `Write ${words.join(' or ')}.` })
  return fallback
}

/** What `read` gives, or `fallback` where it throws `UserError`: its problems are added then. */
export async function collectProblems<Read, Fallback>(
  problems: Problem[],
  read: () => Read | Promise<Read>,
  fallback: Fallback,
): Promise<Read | Fallback> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    problems.push(...error.problems)
    return fallback
  }
}
