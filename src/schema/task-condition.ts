import { UserError } from '../text/errors.ts'

/** A number, a word or several words. */
export type Fact = number | string | readonly string[]

/** Returns a fact as text: a number with two decimals, below 1 with two digits, and words with commas. */
export function factText(fact: Fact): string {
  if (typeof fact !== 'number') return typeof fact === 'string' ? fact : fact.join(', ') || 'none'
  return String(Number(Math.abs(fact) < 1 ? fact.toPrecision(2) : fact.toFixed(2)))
}

/** A condition on one fact of a task, such as `difficulty>=0.5` or `language=python`. */
export interface TaskCondition {
  /** As it was typed. */
  text: string
  name: string
  /** Whether the value is a number. */
  isNumeric: boolean
  /** Whether it holds for a value. It never holds for one that is not stated, but for `!=` on words. */
  holds(fact: Fact | undefined): boolean
}

/** Numbers are shown with two digits, so `0.11` equals all that is shown as `0.11`. */
const areEqual = (one: number, other: number) => one === other || factText(one) === String(other)

const compare: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  '>=': (one, other) => one > other || areEqual(one, other),
  '<=': (one, other) => one < other || areEqual(one, other),
  '>': (one, other) => one > other && !areEqual(one, other),
  '<': (one, other) => one < other && !areEqual(one, other),
  '=': areEqual,
  '!=': (one, other) => !areEqual(one, other),
}

/** Parses one condition; `where` names its place in errors. Throws `UserError`. */
export function parseTaskCondition(text: string, where: string): TaskCondition {
  const [, name = '', operator = '', value = ''] =
    /^([A-Za-z][\w-]*)\s*(>=|<=|!=|==?|>|<)\s*(\S.*)$/.exec(text.trim()) ?? []
  const compared = compare[operator === '==' ? '=' : operator]
  if (!compared)
    throw new UserError({
      where,
      what: 'is not a condition',
      fix: "Write NAME, one of = != < <= > >=, and a value, such as 'difficulty>=0.5' or language=python.",
    })
  const number = /^-?(?:\d+\.?\d*|\.\d+)$/.test(value) ? Number(value) : undefined
  const isOrder = /[<>]/.test(operator)
  if (isOrder && number === undefined)
    throw new UserError({
      where,
      what: `has the value "${value}", which is not a number`,
      fix: `Write a number after ${operator}.`,
    })
  const holds = (fact: Fact | undefined): boolean => {
    if (typeof fact === 'number') return number !== undefined && compared(fact, number)
    if (isOrder || (fact === undefined && number !== undefined)) return false
    const words = fact === undefined ? [] : typeof fact === 'string' ? [fact] : fact
    return words.some((word) => word === value) !== (operator === '!=')
  }
  return { text: text.trim(), name, isNumeric: number !== undefined, holds }
}
