import { completeNumber, type FoundNumber } from './complete-number.ts'
import { isNumberWord, readNumberWords } from './number-words.ts'
import { relationBefore } from './relations.ts'
import type { Token } from './tokens.ts'
import { neutralWords, signWords } from './words.ts'

/** What may follow a spelled number, in words. In a longer text words such as `two` count other things. */
const longestUnit = 3

/**
 * Returns the number that a text without digits gives in English words: `forty-two`, `the answer is two hundred apples`. It must be
 * the only one and stand at the beginning or right behind `is`, `=` or the like. Undefined if there is none.
 */
export function readSpelledNumber(tokens: readonly Token[]): FoundNumber | undefined {
  const start = tokens.findIndex(({ text }) => isNumberWord(text))
  const spelled = start === -1 ? undefined : readNumberWords(tokens, start)
  if (spelled === undefined) return undefined
  const behind = tokens.slice(spelled.end).filter(({ kind }) => kind === 'word')
  const allowed = spelled.value === 1 ? 1 : longestUnit
  if (behind.length > allowed || behind.some(({ text }) => text === 'of' || isNumberWord(text)))
    return undefined
  const number = completeNumber(tokens, start, spelled)
  const before = tokens.slice(0, start).filter(({ kind }) => kind === 'word')
  const leads = before.every(
    ({ text }) => neutralWords.has(text.toLowerCase()) || signWords.has(text.toLowerCase()),
  )
  return number.problem !== undefined || leads || relationBefore(tokens, number.from) !== undefined
    ? number
    : undefined
}
