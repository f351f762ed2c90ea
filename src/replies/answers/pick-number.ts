import { completeNumber, type FoundNumber, findNumbers } from './found-numbers.ts'
import { numberWord, readNumberWords } from './number-amount.ts'
import { isNeutral, leftOf, numberPhrases as phrases, word } from './number-context.ts'
import { findRemarks, isDoubt } from './number-remarks.ts'
import { isInPassing } from './passing-number.ts'
import { says } from './phrases.ts'
import { plainNumberText } from './plain-number-text.ts'
import { behindWithdrawal } from './withdrawal.ts'

/** A longer text explains more than one number. */
const longestAnswer = 2000

/** The number that a text gives; or why it gives none, in words that follow "the answer". */
type PickedNumber = { number: FoundNumber } | { problem: string }

/**
 * Returns the number that an answer gives. Of an announced answer the first clause counts, if it gives a number and nothing behind it
 * corrects it; what follows may repeat numbers of the question. With the question, a sentence that repeats its numbers gives the other.
 */
export function pickNumber(text: string, isAnnounced = true, question = ''): PickedNumber {
  const picked = pickStated(text, isAnnounced)
  return 'number' in picked || question === '' ? picked : (pickUnasked(text, question) ?? picked)
}

const longestQuestion = 5000
const offersTwo =
  /[?]|\b(?:or|nor|not|no|either|neither|maybe|perhaps|instead|rather|than|between|from|wait|actually)\b|n['’]t\b/i

/** Returns the only number of a sentence that its question does not hold: `6 pages a day in 4 days`, where the question has the 4. */
function pickUnasked(text: string, question: string): PickedNumber | undefined {
  if (
    text.length > longestSentence ||
    offersTwo.test(text) ||
    (text.match(/\p{L}{2,}/gu) ?? []).length < fewestWords
  )
    return undefined
  const asked = findNumbers(plainNumberText(question.slice(-longestQuestion))).flatMap(({ values }) => values)
  const own = findNumbers(plainNumberText(text)).filter(
    ({ values }) => !values.some((value) => asked.includes(value)),
  )
  const [only, ...others] = own
  return only && only.problem === undefined && others.length === 0 ? { number: only } : undefined
}

const longestSentence = 300
const fewestWords = 5

function pickStated(text: string, isAnnounced: boolean): PickedNumber {
  if (text.length > longestAnswer) return { problem: `is longer than ${longestAnswer} characters` }
  if (!isAnnounced) return pickUnannounced(text)
  const [claim, rest] = splitClaim(text)
  const picked = rest === '' ? undefined : pickFrom(claim)
  if (picked === undefined || 'problem' in picked) return pickFrom(text)
  const instead = behindWithdrawal(rest, 'behind', claim)
  if (instead !== undefined) return /\d/.test(instead) ? pickFrom(instead) : { problem: 'is taken back' }
  const isRevised = corrects.test(rest) || says.comesTo.test(rest) || solelyGives.test(rest)
  return isRevised || (relationSign.test(claim) && relationSign.test(rest)) ? pickFrom(text) : picked
}

function pickUnannounced(text: string): PickedNumber {
  const picked = pickFrom(text)
  if ('problem' in picked) return picked
  const plain = plainNumberText(text)
  const isStated = findNumbers(plain)
    .filter((one) => isEqual(one, picked.number))
    .some((one) => !isInPassing(plain, one, relationBefore(plain, one.from) !== undefined))
  return !isStated || behindWithdrawal(text, 'later') !== undefined ? { problem: 'is not stated' } : picked
}

/** Divides an answer into its first clause, up to a reason in it, and what follows. */
function splitClaim(text: string): readonly [claim: string, rest: string] {
  const end = /(?<!\\)[.!;][*_"')\]]{0,4}\s+(?=\S)|,?\s+(?:because|since)\s|,\s+(?:as|given)\s/.exec(text)
  const claim = text.slice(0, end?.index)
  const isWhole = claim.split('(').length === claim.split(')').length
  return end === null || !isWhole ? [text, ''] : [claim, text.slice(end.index + end[0].length)]
}

const corrects = new RegExp(phrases.corrects, 'iu')
const relationSign = /[=≈→]|\\(?:approx|sim)/

/** Behind an answer: a step that leads to its only number. */
const solelyGives = /^[^\d]*\b(?:gives|makes|yields|get)\s[$€£]?-?\d[\d,.]*\s?\p{L}*[.!]?$/iu

function pickFrom(text: string): PickedNumber {
  const plain = plainNumberText(text)
  const all = findNumbers(plain)
  const first = all[0] ?? readSpelled(plain)
  if (first === undefined) return { problem: 'holds no number' }
  const remarks = findRemarks(plain, first)
  const doubt = remarks.find((remark) => isDoubt(remark.text))
  if (doubt !== undefined) return { problem: `is in doubt by its remark ${JSON.stringify(doubt.text)}` }
  const spelled = all.length === 0 ? undefined : readSpelledBeside(plain)
  if (spelled !== undefined && all.some(({ values }) => Math.abs(values[0] as number) !== spelled.value))
    return { problem: `names two numbers: ${spelled.text}, ${all.map(({ text }) => text).join(', ')}` }
  const numbers = all.filter(
    ({ from }) =>
      !remarks.some((remark) => remark.from < from && from < remark.to) &&
      !(first.problem === undefined && from > first.to && rejects.test(leftOf(plain, from))),
  )
  return choose(plain, numbers.length === 0 ? [first] : numbers)
}

const rejects = new RegExp(`(?:${phrases.rejects})[^\\p{L}\\d]{0,4}$`, 'iu')

function choose(text: string, numbers: readonly FoundNumber[]): PickedNumber {
  const last = numbers.at(-1) as FoundNumber
  const spoiled = numbers.find(({ problem }) => problem !== undefined)
  const equal = numbers.every((number) => isEqual(number, last))
  if (equal && spoiled === undefined) return { number: last }
  const stated = numbers.length > 1 ? statedNumber(text, numbers) : undefined
  if (stated) return { number: stated }
  const problem = spoiled && `${JSON.stringify(spoiled.text)} ${spoiled.problem}`
  if (problem !== undefined && (equal || numbers.length === 1))
    return { problem: `holds no plain number: ${problem}` }
  return { problem: `${nameNumbers(numbers)}${problem === undefined ? '' : `; ${problem}`}` }
}

const isEqual = (one: FoundNumber, other: FoundNumber) =>
  one.values.some((value) => other.values.includes(value))

function nameNumbers(numbers: readonly FoundNumber[]): string {
  const texts = [...new Set(numbers.map(({ text }) => text))]
  const shown = `${texts.slice(0, 5).join(', ')}${texts.length > 5 ? ', …' : ''}`
  return `names ${texts.length === 2 ? 'two' : texts.length} numbers: ${shown}`
}

const between = `(?:\\s|[:~([$€£]|(?<![\\p{L}'])(?:${phrases.neutral})(?![\\p{L}']))*$`
const relation = new RegExp(`([=≈→]|(?<![\\p{L}'])(?:${phrases.relations})(?![\\p{L}']))${between}`, 'iu')

/** Returns the relation that a number stands right behind, such as `=`, `is` or `total of`, and where it ends. */
function relationBefore(text: string, at: number): { text: string; from: number; to: number } | undefined {
  const left = leftOf(text, at)
  const match = relation.exec(left)
  if (!match) return undefined
  const from = at - left.length + match.index
  return { text: match[1] as string, from, to: from + (match[1] as string).length }
}

/**
 * Returns the last of several numbers if it is what a text states: it stands right behind a relation, and the text names no other
 * value. `x = 3 or x = 5` names two; `the remainder of 7 by 3 is 1` names one.
 */
function statedNumber(text: string, numbers: readonly FoundNumber[]): FoundNumber | undefined {
  const last = numbers.at(-1) as FoundNumber
  const its = last.problem === undefined ? relationBefore(text, last.from) : undefined
  if (!its) return undefined
  const isOnly = numbers.every(
    (number) => number === last || isEqual(number, last) || !isValue(text, number, its),
  )
  return isOnly ? last : undefined
}

/** Whether a number is another value that a text names beside the one behind a relation. */
function isValue(text: string, number: FoundNumber, last: { from: number; to: number }): boolean {
  const own = relationBefore(text, number.from)
  // `X=41 Y=3`: the letter behind the number begins the next equation.
  const beginsNext = new RegExp(`^\\s+${word}\\s?[=≈]`, 'u').test(text.slice(number.to, number.to + 60))
  if (number.problem !== undefined && !(own && beginsNext)) return false
  const leads = (text.slice(0, number.from).match(words) ?? []).every(isNeutral)
  if (!own && !leads) return false
  const between = text.slice(number.to, last.to)
  // `the value of x when y = 3 is 600`
  if (
    own?.text === '=' &&
    /(?<!\p{L})(?:is|are|equals)(?!\p{L})/iu.test(between) &&
    !/[,;.\n]|(?<!\p{L})(?:or|and)(?!\p{L})/iu.test(between)
  )
    return false
  const concludes = /(?<!\p{L})(?:so|therefore|thus|hence|total|altogether|answer|result)(?!\p{L})|→/iu.test(
    text.slice(number.to, last.from),
  )
  if (!concludes || !own) return true
  // `x = 3, so y = 5` solves for two variables, and `total = 3, total = 5` gives one of them two values.
  const [name, other] = [nameBefore(text, own.from), nameBefore(text, last.from)]
  return (
    /(?:^|[^\d\p{L}])\p{L}$/u.test(name) || (/^[=≈]$/.test(own.text) && lastWord(name) === lastWord(other))
  )
}

const words = new RegExp(word, 'gu')
const nameBefore = (text: string, at: number) => leftOf(text, at).replace(/ $/, '')
const lastWord = (text: string) => (/\S{1,40}$/.exec(text)?.[0] ?? '').toLowerCase()

const firstNumberWord = new RegExp(`(?<![\\p{L}'])(?:${numberWord})(?![\\p{L}'])`, 'iu')
const article = /(?<![\p{L}'])an? (?=(?:dozen|hundred|thousand|million|billion|trillion)\b)/iu

/** What may follow a spelled number, in words. In a longer text words such as `two` count other things. */
const longestUnit = 3

/**
 * Returns the number that a text without digits gives in English words: `forty-two`, `the answer is two hundred apples`. It must be
 * the only one and stand at the beginning or right behind `is`, `=` or the like. Undefined otherwise.
 */
function readSpelled(text: string): FoundNumber | undefined {
  const [one, named] = [article, firstNumberWord].map((form) => form.exec(text))
  const isOne = one !== null && one !== undefined && (!named || one.index < named.index)
  const start = (isOne ? one : named)?.index
  if (start === undefined) return undefined
  const counted = isOne ? { value: 1, end: start + (one[0].length - 1) } : readNumberWords(text, start)
  const [quarter] =
    /^[ -](?:quarters?|scores?|pairs?|couples?|brace)(?!\p{L})/iu.exec(
      text.slice(counted?.end, (counted?.end ?? 0) + 10),
    ) ?? []
  const isQuarter = quarter !== undefined && /quarter/i.test(quarter)
  if (!counted || (quarter !== undefined && !(isQuarter && (counted.value === 1 || counted.value === 3))))
    return undefined
  const { value, end } = isQuarter ? { value: counted.value / 4, end: counted.end + quarter.length } : counted
  const behind = text.slice(end).match(words) ?? []
  const most = value === 1 && !isOne ? 1 : longestUnit
  if (behind.length > most || behind.some((one) => one === 'of' || firstNumberWord.test(one)))
    return undefined
  const number = completeNumber(text, { from: start, to: end, value })
  const isPlaced = leadsText(text, start) || relationBefore(text, number.from) !== undefined
  return number.problem !== undefined || isPlaced ? number : undefined
}

/** Whether only words that leave a number what it is stand before a place. */
const leadsText = (text: string, at: number) =>
  !/\d/.test(text.slice(0, at)) &&
  (text.slice(0, at).match(words) ?? []).every((one) => isNeutral(one) || /^(?:minus|negative)$/i.test(one))

/**
 * Returns the number in English words that a text with digits names beside them, at its beginning or right behind a relation, as in
 * `forty-two (43)`; undefined for a word that counts a thing (`Two trains …`).
 */
function readSpelledBeside(text: string): { value: number; text: string } | undefined {
  const start = firstNumberWord.exec(text)?.index
  const spelled = start === undefined ? undefined : readNumberWords(text, start)
  if (start === undefined || spelled === undefined) return undefined
  const next = /^\s?(\p{L}+)/u.exec(text.slice(spelled.end))?.[1]
  if (next !== undefined && !/^(?:or|and|to)$/i.test(next)) return undefined
  if (!leadsText(text, start) && relationBefore(text, start) === undefined) return undefined
  return { value: spelled.value, text: text.slice(start, spelled.end) }
}
