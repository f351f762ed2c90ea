import type { FoundNumber } from './complete-number.ts'
import { findNumbers } from './find-numbers.ts'
import { concludes } from './relations.ts'
import { doubtIn, findRemarks } from './remarks.ts'
import { readSpelledBeside, readSpelledNumber } from './spelled-number.ts'
import { readTokens } from './text/tokens.ts'

/** A longer text explains more than one number. */
const longestAnswer = 2000

/** The number that a text gives; or why it gives none, in words that follow "the answer". */
export type PickedNumber = { number: FoundNumber } | { problem: string }

/**
 * Returns the number that an answer gives. It gives one if all its numbers are plain and equal, or if the last one follows `=`, `is`
 * or the like and no other value is named. Remarks in brackets behind a number do not count. A text that names two values gives
 * none.
 */
export function pickNumber(text: string): PickedNumber {
  if (text.length > longestAnswer) return { problem: `is longer than ${longestAnswer} characters` }
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
