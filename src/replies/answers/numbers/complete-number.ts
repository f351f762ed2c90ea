import type { Amount } from './amount.ts'
import { problemBefore } from './before.ts'
import { problemBehind } from './behind.ts'
import { isDecimalComma } from './digits.ts'
import { readLead } from './lead.ts'
import { readScale } from './scale.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'

/** A number in a text. */
export interface FoundNumber {
  /** As written, in plain marks: `9{,}500` is `9,500`. */
  text: string
  /** Its values: `45%` is 45 and 0.45. Empty for digits that are no single number: `1_000`, `1,2,3`. */
  values: readonly number[]
  /** Why it is no plain number, in words; undefined if it is one. */
  problem?: string
  /** Its first token, and the first behind it. */
  from: number
  to: number
}

const opening = '(['
const closing = ')]'

/**
 * Reads what belongs to a number of which the amount is known: sign, currency, magnitude, percent and brackets of its own, as in
 * `-(42)` and `(3) million`. Says if something beside it makes it no plain number.
 */
export function completeNumber(tokens: readonly Token[], start: number, amount: Amount): FoundNumber {
  let from = start
  let to = amount.end
  let values: readonly number[] = amount.value === undefined ? [] : [amount.value]
  let problem: string | undefined
  for (;;) {
    const lead = readLead(tokens, from)
    from = lead.from
    if (values.length === 1) {
      const scaled = readScale(tokens, values[0] as number, to, lead.money)
      to = scaled.end
      values = scaled.values
      problem ??= scaled.problem
    }
    if (lead.negative) values = values.map((value) => -value)
    problem ??= lead.problem
    const bracket = opening.indexOf(textAt(tokens, from - 1) || ' ')
    if (bracket === -1 || textAt(tokens, to) !== closing[bracket]) break
    from--
    to++
  }
  if (values.length === 0) problem ??= 'is no single number'
  else if (mayBePair(tokens, start, amount.end)) problem ??= 'may be two numbers'
  else if (!values.every(Number.isFinite)) problem ??= 'is no finite number'
  problem ??= problemBefore(tokens, from) ?? problemBehind(tokens, to)
  const text = textBetween(tokens, from, to)
  return { text, values, from, to, ...(problem === undefined ? {} : { problem }) }
}

/** Whether a number with a decimal comma may be a pair or a list: it stands in brackets (`(2,74)`) or behind `are`. */
function mayBePair(tokens: readonly Token[], start: number, end: number): boolean {
  if (!isDecimalComma(textAt(tokens, start))) return false
  const before = skipBack(tokens, start)
  return (
    /^(?:[([|]|are|were)$/i.test(textAt(tokens, before)) ||
    /^[)\]|]$/.test(textAt(tokens, skipSpace(tokens, end)))
  )
}

const skipBack = (tokens: readonly Token[], start: number) =>
  tokens[start - 1]?.kind === 'space' ? start - 2 : start - 1

/** Whether a number is written with a comma that is taken for a decimal comma: `0,125`, `-2,74 €`. */
export const hasDecimalComma = ({ text }: FoundNumber): boolean =>
  text.split(/[^\d.,']+/).some(isDecimalComma)

const textBetween = (tokens: readonly Token[], from: number, to: number) =>
  tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join('')
