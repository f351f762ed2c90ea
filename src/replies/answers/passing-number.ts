import type { FoundNumber } from './found-numbers.ts'
import { leftOf, numberPhrases as phrases } from './number-context.ts'

const sentenceStart = /^[\s\S]*(?:[.!?;。！？](?=[\s\p{L}])|\n)\s*/u
const leading = /^[^\p{L}\d]*(?:\p{L}+(?: \p{L}+){0,5} ?[:：=–—] ?)?[^\p{L}\d]*$/u
const concludes = new RegExp(
  `^[^\\p{L}]*(?:${phrases.concludes})(?![\\p{Script=Latin}\\p{Script=Cyrillic}])`,
  'iu',
)
const states = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:${phrases.states})[^\\p{L}\\d]*$`,
  'iu',
)
const passing = new RegExp(phrases.passing, 'iu')
const adverbial = new RegExp(`(?<!\\p{L})(?:${phrases.adverbial})(?: the| a)?[^\\p{L}\\d]*$`, 'iu')
const counted = /^[^\p{L}\d.,;:!?]{0,3}\p{L}/u
const subject = /\p{L}+[^\p{L}]+\p{L}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u

/**
 * Whether a plain text that announces nothing names a number only in passing, as `maybe ask in room 42` does. A value with its unit, what
 * a label, a relation (`isRelated`) or `so` announces, and a statement such as `Tom has 42 apples` is an answer.
 */
export function isInPassing(
  text: string,
  { from, to, text: written }: FoundNumber,
  isRelated: boolean,
): boolean {
  const before = leftOf(text, from).replace(sentenceStart, '')
  const behind = text.slice(to, to + 200)
  const sentence = before + (/^[^.!?]*[.!?]?/.exec(behind)?.[0] ?? '')
  if (/[?？]\s*$/.test(sentence)) return true
  if (isRelated || leading.test(before) || concludes.test(before) || states.test(before)) return false
  const isAmount = counted.test(behind) || /[\p{Sc}%]/u.test(written)
  return !isAmount || !subject.test(before) || adverbial.test(before) || passing.test(sentence)
}
