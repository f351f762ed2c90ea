import { InfrastructureError } from '../errors.ts'
import { expectedAnswer } from './expected.ts'
import { extractAnswer } from './extract.ts'
import type { Grader } from './grader.ts'
import { nothingLeft, verdict } from './scores.ts'

/** The final answer is a number within the tolerance; a line with several different numbers is no answer. */
export const numeric: Grader<'numeric'> = ({ spec, task, answer }) => {
  const source = expectedAnswer(spec, task)
  const expected = readNumber(source)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: the grader ${spec.name} expects ${JSON.stringify(source)}, no number`,
    )
  }
  const found = extractAnswer(answer, spec.extract)?.slice(0, longestAnswer)
  if (!found) return nothingLeft(spec.name)
  const numbers = readNumbers(found)
  const chosen = singledOut(found, numbers)
  if (!chosen) {
    const what =
      numbers.length === 0 ? 'no number' : `several numbers: ${numbers.map(({ text }) => text).join(', ')}`
    return verdict(spec.name, false, `the answer holds ${what}`)
  }
  const right = chosen.values.some((value) => isWithin(value, expected.values[0] as number, spec.tolerance))
  return verdict(spec.name, right, `${chosen.text} is ${right ? 'right' : 'not the answer'}`)
}

/** What goes on for longer holds several numbers anyway. */
const longestAnswer = 1000

interface ReadNumber {
  /** As written. */
  text: string
  /** Its readings: `45%` is 45 as well as 0.45. */
  values: readonly number[]
  end: number
}

// Digits inside words (`x2`, `H2O`) are no numbers. Groups of three digits may be parted by commas. A function, since its
// classes take a while to make and many runs read no numbers.
const numberForm = () =>
  /(?<![\p{L}\p{N}_.])(?<sign>[-+−]?)\s?(?<currency>[$€£¥]?)(?<sign2>[-−]?)(?<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?|\.\d+)(?<exponent>e[-+]?\d+|\s?[×x*]\s?10\^?\{?[-−]?\d+\}?)?(?<percent>\s?\\?%)?/giu

function readNumbers(text: string): ReadNumber[] {
  // What most answers are needs no pattern.
  if (/^-?\d{1,15}$/.test(text)) return [{ text, values: [Number(text)], end: text.length }]
  return [...text.replaceAll('\\$', '$').matchAll(numberForm())].map((match) => {
    const { sign = '', sign2 = '', digits = '', exponent = '', percent } = match.groups ?? {}
    const power = exponent
      .replace(/^\s?[×x*]\s?10\^?\{?/i, 'e')
      .replace(/\}$/, '')
      .replace('−', '-')
    const size = Number(`${digits.replaceAll(',', '')}${power}`)
    const value = /[-−]/.test(sign + sign2) ? -size : size
    const values = percent ? [value, value / 100] : [value]
    return { text: match[0].trim(), values, end: match.index + match[0].length }
  })
}

function readNumber(text: string): ReadNumber | undefined {
  const [first, ...others] = readNumbers(text)
  return others.length === 0 ? first : undefined
}

/** The one number that a text names: all its numbers are equal, or the last follows its last `=` or `answer is`. */
function singledOut(text: string, numbers: readonly ReadNumber[]): ReadNumber | undefined {
  const last = numbers.at(-1)
  if (!last || numbers.every(({ values }) => values[0] === last.values[0])) return last
  const before = text.slice(0, last.end - last.text.length)
  return /(?:=|\b(?:answer|result|total) is)\s*\$?$/i.test(before) ? last : undefined
}

function isWithin(value: number, expected: number, tolerance: number): boolean {
  // Decimal fractions are not exact in binary: 0.4 is within 0.1 of 0.3.
  return Math.abs(value - expected) <= tolerance + 1e-12 * Math.max(1, Math.abs(expected))
}
