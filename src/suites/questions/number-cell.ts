import { commasToPoints } from '../../replies/answers/number-amount.ts'
import { pickNumber } from '../../replies/answers/pick-number.ts'
import type { Problem } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { unitNamed } from '../../text/units.ts'
import { plainNumber } from '../answer-rules.ts'
import { keepsDigits } from '../files/read-json-lines.ts'

/** How the numbers of a table are written. */
export interface NumberForm {
  decimal?: 'comma' | 'point' | undefined
  /** Its cells are parted by semicolons, as spreadsheets do where the comma stands before decimals. */
  semicolons?: boolean | undefined
  /** What brackets around a number mean: a minus, as in bookkeeping, or nothing. */
  brackets?: 'minus' | 'plain' | undefined
}

/** The parts of a cell that is one number. */
interface NumberCell {
  /** The number with a plain minus, and without brackets and unit. */
  text: string
  unit?: string
  inBrackets: boolean
}

/** Signs that spreadsheets and word processors write for a minus. */
const minus = /^([€$£¥]?)\s*[-−–‒﹣－]\s*(?=[€$£¥.\d])/u
/** What parts thousands beside commas and points: spaces and apostrophes. */
const spacedThousands = /(?<=^[-+€$£¥]*\s?)\d{1,3}(?:[ \u00a0\u202f\u2009'’]\d{3})+(?!\d)/u
const currency = /^(USD|EUR|GBP|CHF|JPY)\s?(?=\S)/
/** A half and other fractions in one sign, behind a whole number or alone. */
const fractionSign = /(\d)?\s?([¼-¾⅐-⅞])/gu

/** Reads a cell that is one number and nothing else: `−5`, `(12,50)`, `2,5 kg`, `EUR 5`, `5 000`, `2½`. Undefined for any other text. */
export function readNumberCell(cell: string, { decimal }: NumberForm): NumberCell | undefined {
  const whole = cell.trim()
  const [, inner] = /^\((.+)\)$/s.exec(whole) ?? []
  const bare = (inner ?? whole).trim()
  const [code = '', before = ''] = currency.exec(bare) ?? []
  const signed = bare
    .slice(code.length)
    .replace(minus, '-$1')
    .replace(spacedThousands, (digits) => digits.replace(/\D/g, ''))
    .replace(fractionSign, (_, digit, sign) => `${digit ? `${digit} ` : ''}${asFraction(sign)}`)
  const { text, unit = unitNamed(before) } = splitUnit(signed)
  const isOne = isNumber(text) || (decimal === 'comma' && isNumber(commasToPoints(text)))
  // `(-5)` has its sign, and brackets around it are no second one.
  const inBrackets = inner !== undefined && !text.startsWith('-')
  return isOne ? { text, inBrackets, ...(unit !== undefined && { unit }) } : undefined
}

const asFraction = (sign: string) => sign.normalize('NFKC').replace('⁄', '/')

function splitUnit(text: string): { text: string; unit?: string } {
  const [, number = '', rest = ''] =
    /^([-+]?[€$£¥]?\.?\d(?:[\d.,'/ ]*\d)?(?:e[+-]?\d{1,3})?)\s*([^\d\s%€$£¥].*)$/iu.exec(text) ?? []
  const unit = unitNamed(rest)
  return unit === undefined ? { text } : { text: number, unit }
}

const numberLike =
  /^[+-]?\s?(?:US)?[$€£¥]?\s?\.?\d[\d.,]*(?:e[+-]?\d{1,3})?\s?[%€$£¥]?$|^[+-]?(?:\d{1,15}\s)?\d{1,15}\s?\/\s?\d{1,15}$/i

const decimalComma = /^[^\d]*\d+,\d{1,2}[^\d]*$/

/** Whether an answer is one number and nothing else: `42`, `1,000`, `-3.5e2`, `$18`, `45%`, `3/4`. `007` is a name. */
export const isNumber = (text: string): boolean =>
  (plainNumber.test(text) || (likeNumber(text) && !isTooLong(text))) && !/^[+-]?0\d/.test(text)

function isTooLong(text: string): boolean {
  const [, digits = ''] = /^[^\d]*([1-9][\d,]{15,})[^\d]*$/.exec(text) ?? []
  return digits !== '' && !keepsDigits(digits.replaceAll(',', ''))
}

const likeNumber = (text: string): boolean =>
  text.length < 100 && numberLike.test(text) && (decimalComma.test(text) || 'number' in pickNumber(text))

/** What was taken where a single comma or point before three digits could also mean the other thing; undefined where nothing is in doubt. */
export function takenOf(text: string, { decimal }: NumberForm): string | undefined {
  const [, sign] = /^[^\d.,]*[1-9]\d{0,2}([.,])\d{3}(?!.*\d)/.exec(text) ?? []
  if (sign === undefined || decimal !== undefined) return undefined
  return sign === ','
    ? 'whose comma parts thousands (if it stands before decimals: ?decimal=comma)'
    : 'whose point stands before decimals (if it parts thousands: ?decimal=comma)'
}

/** Why a text is graded word for word, for a user who meant a number. */
export function textReason(cell: string): string {
  const text = cell.trim()
  if (!/\d/.test(text)) return 'a text'
  if (/^[-+−]?0\d+$/u.test(text)) return 'digits that begin with 0, so a name'
  if (isTooLong(text)) return 'more digits than numbers keep'
  return 'a text with digits in it'
}

/** The number of a cell as a grader gets it. */
export interface ExpectedNumber {
  answer: string
  unit?: string
  /** What a proof tries in place of the cell, which says it in a way that no reply would. */
  solution?: string
}

/** Returns the number that a cell is graded by; or everything about it that is in doubt. */
export function expectedNumber(
  cell: string,
  form: NumberForm,
): ExpectedNumber | { problems: Omit<Problem, 'where'>[] } {
  const read = readNumberCell(cell, form) ?? { text: cell, inBrackets: false }
  const { text, inBrackets, unit } = read
  const problems = [digitsProblem(text, form), inBrackets ? bracketsProblem(cell, form) : undefined].filter(
    (problem) => problem !== undefined,
  )
  if (problems.length > 0) return { problems }
  const isMinus = inBrackets && form.brackets === 'minus'
  const signed = isMinus ? `-${text.replace(/^\+/, '')}` : text
  return {
    answer: form.decimal === 'comma' ? commasToPoints(signed) : signed,
    ...(unit !== undefined && { unit }),
    ...(inBrackets && { solution: unit === undefined ? signed : `${signed} ${unit}` }),
  }
}

function bracketsProblem(cell: string, { brackets }: NumberForm): Omit<Problem, 'where'> | undefined {
  if (brackets !== undefined) return undefined
  return {
    what: `is a number in brackets, which accounting reads as negative: ${JSON.stringify(shorten(cell, 40))}`,
    fix: 'Write ?brackets=minus if it is, ?brackets=plain if they mean nothing, or ?grader=exact if it is not a number.',
  }
}

function digitsProblem(text: string, form: NumberForm): Omit<Problem, 'where'> | undefined {
  if (isTooLong(form.decimal === 'comma' ? commasToPoints(text) : text))
    return {
      what: `has more digits than a number grader can tell apart: ${shorten(text, 80)}`,
      fix: 'Write ?grader=exact.',
    }
  if (form.decimal !== undefined) return undefined
  const isTwofold = /^[^\d]*(?:[1-9]\d{0,2}(?:\.\d{3})+|[\d.]+,\d+|\d{1,3}(?:,\d{3})+)[^\d]*$/.test(text)
  if (form.semicolons === true && isTwofold)
    return {
      what: `can be read in two ways in a file with semicolons: ${JSON.stringify(text)}`,
      fix: 'Write ?decimal=comma if 3,5 is three and a half, else ?decimal=point.',
    }
  if (decimalComma.test(text))
    return {
      what: `has a comma that may stand before decimals: ${JSON.stringify(text)}`,
      fix: 'Write ?decimal=comma if it does, or ?grader=exact if it is not a number.',
    }
  return undefined
}
