import { stripMarkup } from '../replies/answers/markup.ts'
import { commasToPoints } from '../replies/answers/number-amount.ts'
import { matchOption } from '../replies/answers/option-claims.ts'
import { optionLetter } from '../replies/answers/options.ts'
import { pickNumber } from '../replies/answers/pick-number.ts'
import { extractAnswer, readAnswer } from '../replies/answers/read-answer.ts'
import { readChoice } from '../replies/answers/read-choice.ts'
import { boundedMatch } from '../replies/bounded-match.ts'
import { wantsText } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { sameUnit, unitNamed, unitsBehind } from '../text/units.ts'
import { requireExpectedAnswer } from './expected.ts'
import {
  type AnswerEquality,
  binaryScore,
  emptyAnswerScore,
  equalityOf,
  type Grader,
  type WithoutAnswer,
} from './grader.ts'

/** Passes if the final answer names the right option, by its letter or its text, and no other. */
export const choice: Grader<'choice'> = ({ spec, task, answer }) => {
  const source = requireExpectedAnswer(spec, task)
  const expected = matchOption(source, spec.options)
  if (expected === undefined) {
    throw new InfrastructureError(
      `${task.ref}: the answer ${JSON.stringify(source)} is not one of the options of the grader ${spec.name}`,
    )
  }
  const found = readChoice(answer, spec.options, spec.extract, task.instruction)
  if (!found) return emptyAnswerScore(spec.name)
  const chosen = found.index
  const shown = (index: number) => `(${optionLetter(index)}) ${spec.options[index]}`
  if (chosen === undefined) {
    const which = found.named.length === 2 ? `: it names ${found.named.map(shown).join(' and ')}` : ''
    return binaryScore(spec.name, false, `${JSON.stringify(found.text)} names no single option${which}`)
  }
  const named = shown(chosen)
  return binaryScore(
    spec.name,
    chosen === expected,
    `${named} is ${chosen === expected ? 'right' : 'not the answer'}`,
  )
}

/** Two answers are the same if they choose one option. */
export const choiceEquality = (
  { options, extract }: WithoutAnswer<'choice'>,
  instruction: string,
): AnswerEquality =>
  equalityOf(
    (reply) => readChoice(reply, options, extract, instruction)?.index,
    (one, other) => one === other,
  )

/** Passes if what the task asks for, the final answer or a whole text, matches every required expression and none of the forbidden ones. */
export const pattern: Grader<'pattern'> = ({ spec, task, answer }) => {
  const isText = wantsText(task.spec)
  const tried = isText ? answer : extractAnswer(answer)
  if (!tried?.trim()) return emptyAnswerScore(spec.name)
  // A final period is no part of an answer, as for `exact`.
  const bare = isText ? tried : tried.replace(/\.$/, '')
  const found = [...spec.require, ...spec.forbid].map(
    (source) =>
      boundedMatch(tried, source, spec.flags) ??
      (bare === tried ? null : boundedMatch(bare, source, spec.flags)),
  )
  const required = found.slice(0, spec.require.length)
  const forbidden = found.slice(spec.require.length)
  const endless = [...spec.require, ...spec.forbid].filter((_, i) => found[i] === 'too-long')
  const missing = spec.require.filter((_, i) => required[i] === null)
  const present = spec.forbid.filter((_, i) => Array.isArray(forbidden[i]))
  const faults = [
    ...endless.map((source) => `is more than /${source}/ gets through in time`),
    ...missing.map((source) => `does not match /${source}/`),
    ...present.map((source) => `matches /${source}/, which it must not`),
  ]
  const said = faults.join('; ') || 'matches all that is required'
  return binaryScore(spec.name, faults.length === 0, isText ? said : `${quote(tried)} ${said}`)
}

/** Passes if the final answer equals the expected text, except for white space, a final period and (by default) case. */
export const exact: Grader<'exact'> = ({ spec, task, answer }) => {
  const expected = requireExpectedAnswer(spec, task)
  const found = extractAnswer(answer, spec.extract)
  if (!found) return emptyAnswerScore(spec.name)
  const right = isRight(found, expected, spec.ignoreCase)
  return binaryScore(spec.name, right, `${quote(found)} is ${right ? 'right' : 'not the answer'}`)
}

/** Two answers are the same if either would be right where the other is expected. */
export const exactEquality = ({ extract, ignoreCase }: WithoutAnswer<'exact'>): AnswerEquality =>
  equalityOf(
    (reply) => extractAnswer(reply, extract),
    (one, other) => isRight(one, other, ignoreCase) || isRight(other, one, ignoreCase),
  )

function isRight(found: string, expected: string, ignoreCase: boolean): boolean {
  if (found === expected) return true
  // An answer such as `__init__` looks like markup.
  const wanted = [...forms(expected, ignoreCase), ...forms(stripMarkup(expected), ignoreCase)]
  return forms(found, ignoreCase).some((form) => wanted.includes(form))
}

function forms(text: string, ignoreCase: boolean): string[] {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim()
  const cased = ignoreCase ? plain.toLowerCase() : plain
  return [cased, cased.replace(/\.$/, '').trim()].filter((form) => form !== '')
}

const quote = (text: string) => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text)

/** Passes if the final answer is a number within the tolerance. A line that names two different numbers is not an answer. */
export const numeric: Grader<'numeric'> = ({ spec, task, answer }) => {
  const source = requireExpectedAnswer(spec, task)
  const expected = pickNumber(source)
  if ('problem' in expected) {
    throw new InfrastructureError(
      `${task.ref}: the expected answer ${JSON.stringify(source)} of the grader ${spec.name} ${expected.problem}`,
    )
  }
  const picked = readNumber(spec, answer, task.instruction)
  if (!picked) return emptyAnswerScore(spec.name)
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

/** Two answers are the same if a value of the one is within the tolerance of a value of the other: `25%` has two, 25 and 0.25. */
export const numericEquality = (spec: WithoutAnswer<'numeric'>, instruction: string): AnswerEquality =>
  equalityOf(
    (reply) => {
      const picked = readNumber(spec, reply, instruction)
      return picked && 'number' in picked ? picked.number : undefined
    },
    (one, other) =>
      (spec.tolerance > 0 ? undefined : sameWhole(one.text, other.text)) ??
      one.values.some((value) => other.values.some((wanted) => isWithin(value, wanted, spec.tolerance))),
  )

/** Returns the number of an answer to an instruction, without the unit that the task names; or why it is none. */
function readNumber(
  { decimal, extract, unit }: WithoutAnswer<'numeric'>,
  answer: string | undefined,
  instruction: string,
) {
  const found = readAnswer(answer, extract)
  if (!found) return undefined
  const bare = withoutUnit(found.text, unit)
  if ('problem' in bare) return bare
  const pick = (text: string) =>
    pickNumber(decimal === 'comma' ? commasToPoints(text) : text, found.force !== undefined, instruction)
  const whole = pick(found.text)
  // The digit in `m/s^2` is no second number.
  return 'problem' in whole ? pick(bare.text) : whole
}

/** Returns an answer without its unit; or why it is none, if it names units and not the wanted one. */
function withoutUnit(text: string, unit: string | undefined): { text: string } | { problem: string } {
  if (unit === undefined) return { text }
  const wanted = unitNamed(unit) ?? unit
  const named = unitsBehind(text)
  const same = named.filter((one) => sameUnit(one.unit, wanted))
  const [other] = named
  if (same.length === 0 && other !== undefined)
    return { problem: `the answer is in ${other.unit}, not in ${wanted}` }
  return { text: same.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text) }
}

/** Adds the value to a number whose text says it in another way: `3 million (3000000)`. */
const describeNumber = (text: string, [value]: readonly number[]) =>
  /[\p{L}/]/u.test(text) ? `${text} (${value})` : text

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
