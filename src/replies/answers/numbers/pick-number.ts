import { comesTo, withdrawn } from '../announcement-words.ts'
import type { FoundNumber } from './complete-number.ts'
import { findNumbers } from './find-numbers.ts'
import { concludes } from './relations.ts'
import { doubtIn, findRemarks } from './remarks.ts'
import { readSpelledBeside, readSpelledNumber } from './spelled-number.ts'
import { readTokens } from './tokens.ts'

/** A longer text explains more than one number. */
const longestAnswer = 2000

/** The number that a text gives; or why it gives none, in words that follow "the answer". */
type PickedNumber = { number: FoundNumber } | { problem: string }

/**
 * Returns the number that an answer gives. It gives one if all its numbers are plain and equal, or if the last one follows `=`, `is`
 * or the like and no other value is named. Remarks in brackets behind a number do not count. A text that names two values gives
 * none. Of an announced answer only the first sentence counts, if it gives a number and nothing behind it corrects it.
 */
export function pickNumber(text: string, isAnnounced = true): PickedNumber {
  if (text.length > longestAnswer) return { problem: `is longer than ${longestAnswer} characters` }
  const [claim, rest] = isAnnounced ? splitClaim(text) : [text, '']
  const picked = rest === '' ? undefined : pickFrom(claim)
  if (picked === undefined || 'problem' in picked) return pickFrom(text)
  if (withdrawn.test(rest))
    return /\d/.test(rest) ? pickFrom(rest.replace(withdrawn, '')) : { problem: 'is taken back' }
  const isRevised = corrects.test(rest) || comesTo.test(rest) || solelyGives.test(rest)
  return isRevised || (relation.test(claim) && relation.test(rest)) ? pickFrom(text) : picked
}

/** Divides an answer into its first sentence, up to a reason in it, and what follows, which may repeat numbers of the question. */
function splitClaim(text: string): readonly [claim: string, rest: string] {
  const end = /(?<!\\)[.!;][*_"')\]]{0,4}\s+(?=\S)|,?\s+(?:because|since)\s|,\s+(?:as|given)\s/.exec(text)
  const claim = text.slice(0, end?.index)
  const isWhole = claim.split('(').length === claim.split(')').length
  return end === null || !isWhole ? [text, ''] : [claim, text.slice(end.index + end[0].length)]
}

const relation = /[=≈→]|\\(?:approx|sim)/

/** Behind an answer: a step that leads to its only number. */
const solelyGives = /^[^\d]*\b(?:gives|makes|yields|get)\s[$€£]?-?\d[\d,.]*\s?\p{L}*[.!]?$/iu

/** Behind an answer: another one may be meant. */
const corrects =
  /^\W*(?:(?:or|and|maybe|perhaps|possibly|alternatively|actually|wait|no|not|hmm+|oops|sorry|correction|rather|instead|then|so|but|also)\b|[-\d.,$€£%\s]+$)|\b(?:wait|actually|oops|sorry|correct(?:ion|ed)?|right|scratch that|instead(?! of)|rather(?! than)|second thoughts?)\b|\b(?:answer|result|value)\b[^.]{0,30}\b(?:is|be|was)\b|\b(?:could|might|may)\b[^.]{0,12}\bbe\s[$€£]?\d|\?/i

function pickFrom(text: string): PickedNumber {
  const tokens = readTokens(text)
  const all = findNumbers(tokens)
  const first = all[0] ?? readSpelledNumber(tokens)
  if (first === undefined) return { problem: 'holds no number' }
  const remarks = findRemarks(tokens, first)
  const doubt = remarks.map((remark) => doubtIn(tokens, remark)).find((found) => found !== undefined)
  if (doubt !== undefined) return { problem: doubt }
  const spelled = all.length === 0 ? undefined : readSpelledBeside(tokens)
  if (spelled !== undefined && all.some(({ values }) => Math.abs(values[0] as number) !== spelled.value))
    return { problem: `names two numbers: ${spelled.text}, ${all.map(({ text }) => text).join(', ')}` }
  const numbers = all.filter(({ from }) => !remarks.some((remark) => remark.from < from && from < remark.to))
  return choose(tokens, numbers.length === 0 ? [first] : numbers)
}

function choose(tokens: Parameters<typeof concludes>[0], numbers: readonly FoundNumber[]): PickedNumber {
  const last = numbers.at(-1) as FoundNumber
  const spoiled = numbers.find(({ problem }) => problem !== undefined)
  const equal = numbers.every(({ values }) => values.some((value) => last.values.includes(value)))
  if (equal && spoiled === undefined) return { number: last }
  if (numbers.length > 1 && last.problem === undefined && concludes(tokens, numbers)) return { number: last }
  const problem = spoiled && `${JSON.stringify(spoiled.text)} ${spoiled.problem}`
  if (problem !== undefined && (equal || numbers.length === 1))
    return { problem: `holds no plain number: ${problem}` }
  return { problem: `${nameNumbers(numbers)}${problem === undefined ? '' : `; ${problem}`}` }
}

function nameNumbers(numbers: readonly FoundNumber[]): string {
  const texts = [...new Set(numbers.map(({ text }) => text))]
  const shown = `${texts.slice(0, 5).join(', ')}${texts.length > 5 ? ', …' : ''}`
  return `names ${texts.length === 2 ? 'two' : texts.length} numbers: ${shown}`
}
