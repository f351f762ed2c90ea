import type { Problem } from '../errors.ts'

/** One of a few words. */
export function oneOf<Word extends string>(
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
