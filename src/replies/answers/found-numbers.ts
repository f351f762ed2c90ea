import { isDecimalComma, readAmount, shiftValue } from './number-amount.ts'
import {
  beside,
  currencyBehind,
  leftOf,
  numberPhrases as phrases,
  problemBefore,
  problemBehind,
  word,
} from './number-context.ts'
import { inAnyLanguage, unitOfSign, valuesOf } from './phrases.ts'

/** A number in a plain text, with the fact that decides whether it may be an answer. */
export interface FoundNumber {
  /** As written, in plain marks: `9{,}500` is `9,500`. */
  text: string
  /** Its values: `45%` is 45 and 0.45. Empty for digits that are no single number: `1_000`, `1,2,3`. */
  values: readonly number[]
  /** Why it is no plain number, in words; undefined if it is one. */
  problem?: string
  /** Where it begins and ends in the text. */
  from: number
  to: number
}

const [magnitudes, signs, money, parts] = (['magnitudes', 'signs', 'money', 'parts'] as const).map((name) =>
  valuesOf(phrases[name]),
) as [Values, Values, Values, Values]
type Values = ReadonlyMap<string, number>

const startOfNumber =
  /(\.?\d)|\\?[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}][\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\d_]*|\^(?:\{ ?[-+–]?[\p{L}\d.°']* ?\}|\(?[-+–]?[\p{L}\d.°']*\)?)/gu

/** Returns all numbers of a plain text that are written with digits, in order. Takes time linear in the text. */
export function findNumbers(text: string): FoundNumber[] {
  const found: FoundNumber[] = []
  startOfNumber.lastIndex = 0
  for (let match = startOfNumber.exec(text); match; match = startOfNumber.exec(text)) {
    if (match[1] === undefined) continue
    const { value, end } = readAmount(text, match.index)
    const number = completeNumber(text, { from: match.index, to: end, value })
    found.push(number)
    startOfNumber.lastIndex = number.to
  }
  return found
}

/**
 * Reads what belongs to a number of which the amount is known: sign, currency, magnitude, percent and brackets of its own, as in
 * `-(42)` and `(3) million`. Says if something beside it makes it no plain number.
 */
export function completeNumber(
  text: string,
  amount: { from: number; to: number; value: number | undefined },
): FoundNumber {
  let { from, to } = amount
  let values: readonly number[] = amount.value === undefined ? [] : [amount.value]
  let problem: string | undefined
  for (;;) {
    const lead = readLead(text, from)
    from = lead.from
    if (values.length === 1) {
      const scaled = readScale(text, values[0] as number, to, lead.isMoney)
      to = scaled.end
      values = scaled.values
      problem ??= scaled.problem
    }
    if (lead.isNegative) values = values.map((value) => -value)
    problem ??= lead.problem
    const bracket = '(['.indexOf(text[from - 1] ?? ' ')
    if (bracket === -1 || text[to] !== ')]'[bracket]) break
    from--
    to++
  }
  const written = text.slice(amount.from, amount.to)
  if (values.length === 0) problem ??= 'is no single number'
  else if (mayBePair(text, written, amount)) problem ??= 'may be two numbers'
  else if (!values.every(Number.isFinite)) problem ??= 'is no finite number'
  problem ??= problemBefore(text, from) ?? problemBehind(text, to)
  return { text: text.slice(from, to), values, from, to, ...(problem === undefined ? {} : { problem }) }
}

/** Whether a number with a decimal comma may be a pair or a list: it stands in brackets (`(2,74)`) or behind `are`. */
const mayBePair = (text: string, written: string, { from, to }: { from: number; to: number }) =>
  isDecimalComma(written) &&
  (/(?:[([|]|\b(?:are|were)) ?$/i.test(text.slice(Math.max(0, from - 8), from)) ||
    /^ ?[)\]|]/.test(text.slice(to, to + 2)))

/** Whether a number is written with a comma that is taken for a decimal comma: `0,125`, `-2,74 €`. */
export const hasDecimalComma = ({ text }: FoundNumber): boolean =>
  text.split(/[^\d.,']+/).some(isDecimalComma)

interface Lead {
  from: number
  isNegative: boolean
  isMoney: boolean
  problem?: string
}

const currencyBefore = new RegExp(`(?<!\\d)(?<! \\d)(?:us ?)?(?:${phrases.currency}) ?$`, 'iu')
const signBefore = new RegExp(
  `(?<sign>[-–+]|(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])(?:minus|negative|${inAnyLanguage('minus')})) ?$`,
  'iu',
)
const signedBehind = new RegExp(`(?:${phrases.signedBehind})$`, 'iu')

/** Reads signs and currency before a number: `-$5`, `US$ 5`, `minus 5`. */
function readLead(text: string, start: number): Lead {
  const lead: Lead = { from: start, isNegative: false, isMoney: false }
  for (let turn = 0; turn < 3 && lead.problem === undefined; turn++) {
    const left = leftOf(text, lead.from)
    const currency = lead.isMoney ? null : currencyBefore.exec(left)
    if (currency) {
      lead.from -= currency[0].length
      lead.isMoney = true
      continue
    }
    const sign = signBefore.exec(left)
    if (!sign || !readSign(left.slice(0, sign.index), sign[0], lead, start)) break
  }
  return lead
}

const neverBeforeSign = /[)\]%!}°'"π]$|\d$|\^\S*$/u

/** Takes a sign that joins the number with nothing before it. A dash in prose has spaces. `x minus 42` is a calculation. */
function readSign(before: string, written: string, lead: Lead, start: number): boolean {
  const sign = written.trim().toLowerCase()
  const isSpaced = written.endsWith(' ')
  const rest = before.trimEnd()
  const last = /[\p{L}\p{M}\\][\p{L}\p{M}\d_\\]*$/u.exec(rest)?.[0]
  if (/\p{L}/u.test(sign)) {
    const calculates =
      /\d$/.test(rest) || (last !== undefined && sign !== 'negative' && !signedBehind.test(last))
    if (calculates || lead.isNegative) {
      lead.problem = beside(sign)
      return false
    }
  } else {
    if (lead.isNegative || (lead.from < start && isSpaced) || neverBeforeSign.test(rest)) return false
    if (last === undefined ? isSpaced && sign === '–' : !isProse(before, last, sign, isSpaced)) return false
  }
  lead.isNegative = sign !== '+'
  lead.from -= written.length
  return true
}

const isProse = (before: string, last: string, sign: string, isSpaced: boolean) =>
  before.endsWith(' ') &&
  !isSpaced &&
  [...last].length > 1 &&
  !last.startsWith('\\') &&
  (sign !== '+' || /^(?:is|are|was|were|be|equals?)$/i.test(last))

interface Scaled {
  /** A percentage has two: 45% is 45 and 0.45. */
  values: readonly number[]
  end: number
  problem?: string
}

const wordBehind = new RegExp(`^(?: +|-)?(${word})`, 'u')
const half = /^ and a (half|quarter)\b/i
const percent = /^(?: +|-)?(?:%|percent\b|pct\b|per cent\b)/i

/** Reads magnitudes (`million`, `k`), parts (`tenths`), `and a half` and percent behind a number. */
function readScale(text: string, value: number, start: number, isMoney: boolean): Scaled {
  const letter = readLetter(text, start, isMoney)
  if (letter?.problem !== undefined) return { values: [value], ...letter }
  let [scaled, end] = letter ? [multiply(value, letter.factor), letter.end] : [value, start]
  for (;;) {
    const [whole = '', next = ''] = wordBehind.exec(text.slice(end, end + 40)) ?? []
    const factor = magnitudeOf(next.toLowerCase())
    if (factor === undefined) break
    scaled = multiply(scaled, factor)
    end += whole.length
  }
  const [whole = '', next = ''] = /^(?: +|-)(\p{L}+)(?!-)(?!\p{L})/u.exec(text.slice(end, end + 40)) ?? []
  const divisor = parts.get(next.toLowerCase())
  const more = half.exec(text.slice(end, end + 20))
  if (divisor !== undefined && (scaled === 1 || /s$/i.test(next)))
    [scaled, end] = [scaled / divisor, end + whole.length]
  else if (more && Number.isSafeInteger(scaled))
    [scaled, end] = [scaled + (more[1] === 'half' ? 0.5 : 0.25), end + more[0].length]
  const sign = percent.exec(text.slice(end, end + 20))?.[0]
  if (sign === undefined) return { values: [scaled], end }
  const values = [scaled, scaled / 100]
  end += sign.length
  return text[end] === '%' ? { values, end: end + 1, problem: '"%%" is no unit' } : { values, end }
}

function magnitudeOf(next: string): number | undefined {
  const written = unitOfSign.test(next) ? undefined : /^[百千万萬億亿兆백천만억조]+/.exec(next)?.[0]
  if (written === undefined) return magnitudes.get(next)
  return [...written].reduce((product, sign) => product * (signs.get(sign) as number), 1)
}

const multiply = (value: number, factor: number) =>
  /^10*$/.test(String(factor)) ? shiftValue(value, Math.round(Math.log10(factor))) : value * factor

/** Reads a letter of magnitude. A capital right behind a number is one; lower-case letters may be units, unless it is money. */
function readLetter(
  text: string,
  start: number,
  isMoney: boolean,
): { factor: number; end: number; problem?: string } | undefined {
  const [whole = '', written = ''] = new RegExp(`^ ?(${word})`, 'u').exec(text.slice(start, start + 40)) ?? []
  const end = start + whole.length
  const inDoubt = (unit: string) => ({
    factor: 1,
    end,
    problem: `${JSON.stringify(written)} may be a magnitude${unit}`,
  })
  if (/^(?:mil|bil|tril)$/i.test(written)) return inDoubt('')
  const factor = money.get(written.toLowerCase())
  if (factor === undefined) return undefined
  if (isMoney || currencyBehind.test(text.slice(end, end + 12))) return { factor, end }
  if (written === 'k' || (!whole.startsWith(' ') && /^[KMB]$/.test(written))) return { factor, end }
  return /^(?:[KMBTb]|MM)$/.test(written) ? inDoubt(' or a unit') : undefined
}
