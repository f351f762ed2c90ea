import { completeNumber, type FoundNumber } from './complete-number.ts'
import { isNumberWord, readNumberWords } from './number-words.ts'
import { relationBefore } from './relations.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'
import { neutralWords, signWords } from './words.ts'

/** What may follow a spelled number, in words. In a longer text words such as `two` count other things. */
const longestUnit = 3

/**
 * Returns the number that a text without digits gives in English words: `forty-two`, `the answer is two hundred apples`. It must be
 * the only one and stand at the beginning or right behind `is`, `=` or the like. Undefined otherwise.
 */
export function readSpelledNumber(tokens: readonly Token[]): FoundNumber | undefined {
  const start = tokens.findIndex(({ text }, at) => isNumberWord(text) || isArticle(tokens, at))
  const isOne = start !== -1 && isArticle(tokens, start)
  const one = isOne ? { value: 1, end: start + 1 } : undefined
  const counted = start === -1 ? undefined : (one ?? readNumberWords(tokens, start))
  const spelled = counted && readQuarters(tokens, counted)
  if (spelled === undefined) return undefined
  const behind = tokens.slice(spelled.end).filter(({ kind }) => kind === 'word')
  const allowed = spelled.value === 1 && !isOne ? 1 : longestUnit
  if (behind.length > allowed || behind.some(({ text }) => text === 'of' || isNumberWord(text)))
    return undefined
  const number = completeNumber(tokens, start, spelled)
  const leads = isLead(tokens, start)
  return number.problem !== undefined || leads || relationBefore(tokens, number.from) !== undefined
    ? number
    : undefined
}

/** Reads `three quarters`, which counts no things if the number is in words. Undefined for `three score` and `two pairs`. */
function readQuarters(
  tokens: readonly Token[],
  spelled: { value: number; end: number },
): { value: number; end: number } | undefined {
  const { value, end } = spelled
  const word = /^[ -]$/.test(textAt(tokens, end)) ? textAt(tokens, end + 1).toLowerCase() : ''
  if (/^(?:score|scores|pairs?|couples?|brace)$/.test(word)) return undefined
  if (!/^quarters?$/.test(word)) return spelled
  return value === 1 || value === 3 ? { value: value / 4, end: end + 2 } : undefined
}

/** Whether a token is the `a` of `a dozen` or `a million`. */
const isArticle = (tokens: readonly Token[], at: number) =>
  /^an?$/i.test(textAt(tokens, at)) &&
  /^(?:dozen|hundred|thousand|million|billion|trillion)$/i.test(textAt(tokens, at + 2)) &&
  tokens[at + 1]?.kind === 'space'

/**
 * Returns the number in English words that a text with digits names beside them, at its beginning or right behind a relation, as in
 * `forty-two (43)`; undefined for a word that counts a thing (`Two trains …`).
 */
export function readSpelledBeside(tokens: readonly Token[]): { value: number; text: string } | undefined {
  const start = tokens.findIndex(({ text }) => isNumberWord(text))
  const spelled = start === -1 ? undefined : readNumberWords(tokens, start)
  if (spelled === undefined) return undefined
  const next = tokens[skipSpace(tokens, spelled.end)]
  if (next?.kind === 'word' && !/^(?:or|and|to)$/i.test(next.text)) return undefined
  if (!isLead(tokens, start) && relationBefore(tokens, start) === undefined) return undefined
  return {
    value: spelled.value,
    text: tokens
      .slice(start, spelled.end)
      .map(({ text }) => text)
      .join(''),
  }
}

/** Whether only words that leave a number what it is stand before a token. */
const isLead = (tokens: readonly Token[], start: number) =>
  tokens
    .slice(0, start)
    .every(
      ({ kind, text }) =>
        kind === 'space' ||
        kind === 'mark' ||
        (kind === 'word' && (neutralWords.has(text.toLowerCase()) || signWords.has(text.toLowerCase()))),
    )
