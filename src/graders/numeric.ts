import { readAnswer } from '../replies/answers/extract-answer.ts'
import { commasToPoints } from '../replies/answers/numbers/decimal-comma.ts'
import { pickNumber } from '../replies/answers/numbers/pick-number.ts'
import { InfrastructureError } from '../text/errors.ts'
import { requireExpectedAnswer } from './expected.ts'
import type { Grader } from './grader.ts'
import { binaryScore, emptyAnswerScore } from './grader.ts'

/** Passes if the final answer is a number within the tolerance. A line that names two different numbers is not an answer. */
export const numeric: Grader<'numeric'> = ({ spec, task, answer }) => {
  const source = requireExpectedAnswer(spec, task)
  const expected = pickNumber(source)
  if ('problem' in expected) {
    throw new InfrastructureError(
      `${task.ref}: the expected answer ${JSON.stringify(source)} of the grader ${spec.name} ${expected.problem}`,
    )
  }
  const found = readAnswer(answer, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const said = spec.decimal === 'comma' ? commasToPoints(found.text) : found.text
  const picked = pickNumber(said, found.force !== undefined)
  if ('problem' in picked) return binaryScore(spec.name, false, `the answer ${picked.problem}`)
  const [wanted] = expected.number.values as [number]
  const { text, values } = picked.number
  const right = values.some((value) =>
    Number.isSafeInteger(wanted) || spec.tolerance > 0
      ? isWithin(value, wanted, spec.tolerance)
      : (sameWhole(text, source) ?? isWithin(value, wanted, 0)),
  )
  return binaryScore(
    spec.name,
    right,
    `${describeNumber(text, values)} is ${right ? 'right' : 'not the answer'}`,
  )
}

/** Adds the value to a number whose text says it in another way: `3 million (3000000)`. */
const describeNumber = (text: string, [value]: readonly number[]) =>
  /[\p{L}/]/u.test(text) ? `${text} (${value})` : text

/** Whether two texts are one whole number, of any size; undefined if one of them is no whole number in digits alone. */
function sameWhole(left: string, right: string): boolean | undefined {
  const [one, other] = [left, right].map((text) => text.trim().replace(/(?<=\d),(?=\d{3})/g, ''))
  const isWhole = (text: string | undefined) => text !== undefined && /^[-+]?\d{1,1000}$/.test(text)
  return isWhole(one) && isWhole(other) ? BigInt(one as string) === BigInt(other as string) : undefined
}

function isWithin(value: number, expected: number, tolerance: number): boolean {
  const distance = Math.abs(value - expected)
  if (!Number.isFinite(value)) return false
  if (Number.isSafeInteger(value) && Number.isSafeInteger(expected)) return distance <= tolerance
  // Decimal fractions are not exact in binary: 0.4 is within 0.1 of 0.3.
  const largest = Math.max(Math.abs(value), Math.abs(expected), tolerance)
  return distance <= tolerance + 4 * Number.EPSILON * largest
}
