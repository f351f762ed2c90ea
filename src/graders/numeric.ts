import { extractAnswer } from '../replies/answers/extract-answer.ts'
import { type FoundNumber, readNumber, readNumbers } from '../replies/answers/read-number.ts'
import { InfrastructureError } from '../text/errors.ts'
import { requireExpectedAnswer } from './expected.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Passes if the final answer is a number within the tolerance. A line with several different numbers is not an answer. */
export const numeric: Grader<'numeric'> = ({ spec, task, answer }) => {
  const source = requireExpectedAnswer(spec, task)
  const expected = readNumber(source)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: the expected answer ${JSON.stringify(source)} of the grader ${spec.name} is not a number`,
    )
  }
  const found = extractAnswer(answer, spec.extract)?.slice(0, longestAnswer).replaceAll('\\$', '$')
  if (!found) return emptyAnswerScore(spec.name)
  const numbers = readNumbers(found)
  const chosen = pickNumber(found, numbers)
  if (!chosen) return binaryScore(spec.name, false, `the answer holds ${describeNumbers(numbers)}`)
  const right = chosen.values.some((value) => isWithin(value, expected, spec.tolerance))
  return binaryScore(spec.name, right, `${chosen.text} is ${right ? 'right' : 'not the answer'}`)
}

/** A longer answer contains several numbers anyway. */
const longestAnswer = 1000

function describeNumbers(numbers: readonly FoundNumber[]): string {
  const texts = numbers.map(({ text }) => text).join(', ')
  if (numbers.length === 0) return 'no number'
  return numbers.length === 1 ? `no plain number: ${texts}` : `several numbers: ${texts}`
}

/** Returns the number that a text gives: all its numbers are equal, or the last one follows `=` or `answer is`. */
function pickNumber(text: string, numbers: readonly FoundNumber[]): FoundNumber | undefined {
  const last = numbers.at(-1)
  if (!last || last.values.length === 0) return undefined
  if (numbers.every(({ values }) => values[0] === last.values[0]) && !isCalculation(text, numbers))
    return last
  return /(?:=|\b(?:answer|result|total) is)\s*\$?$/i.test(text.slice(0, last.start)) ? last : undefined
}

/** Whether an arithmetic operator is between two numbers: `3 x 3` gives neither. */
function isCalculation(text: string, numbers: readonly FoundNumber[]): boolean {
  return numbers.some(({ start }, i) => {
    const before = numbers[i - 1]
    return (
      before !== undefined &&
      /^\s*[×x*·⋅/÷:^+−–-]\s*$|^(?:\*\*|,)$|\^\{?$/i.test(text.slice(before.end, start))
    )
  })
}

function isWithin(value: number, expected: number, tolerance: number): boolean {
  const distance = Math.abs(value - expected)
  if (!Number.isFinite(value)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(expected)) return distance <= tolerance
  // Decimal fractions are not exact in binary: 0.4 is within 0.1 of 0.3.
  const largest = Math.max(Math.abs(value), Math.abs(expected), tolerance)
  return distance <= tolerance + 4 * Number.EPSILON * largest
}
