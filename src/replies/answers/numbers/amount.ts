import { isDecimalComma, shiftValue, valueOfDigits } from './digits.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'

/** The size of a number; undefined if the digits are no single number. `end` is the first token behind it. */
export interface Amount {
  value: number | undefined
  end: number
}

/** Reads the size of the number whose digits start at a token: with groups, as a fraction, or with a power of ten. */
export function readAmount(tokens: readonly Token[], at: number): Amount {
  const whole = readGroups(tokens, at)
  return readPowerOfTen(tokens, at, whole) ?? readQuotient(tokens, whole) ?? readMixed(tokens, whole) ?? whole
}

/** A number of more groups is no answer; a bound on the time that is spent on each. */
const mostGroups = 8

/** Joins groups of three digits that single spaces part: `12 500`, `12 500,75`. */
function readGroups(tokens: readonly Token[], at: number): Amount {
  const first = textAt(tokens, at)
  const alone = { value: valueOfDigits(first), end: at + 1 }
  if (!/^[1-9]\d{0,2}$/.test(first)) return alone
  const groups = [first]
  let end = at + 1
  while (
    groups.length < mostGroups &&
    textAt(tokens, end) === ' ' &&
    /^\d{3}(?:\.\d+|,(?:\d{1,2}|\d{4,}))?$/.test(textAt(tokens, end + 1))
  ) {
    groups.push(textAt(tokens, end + 1))
    end += 2
    if (/[.,]/.test(groups.at(-1) as string)) break
  }
  const goesOn = textAt(tokens, end) === ' ' && tokens[end + 1]?.kind === 'number'
  if (groups.length === 1 || goesOn || textAt(tokens, end) === '/') return alone
  return { value: Number(groups.join('').replace(',', '.')), end }
}

/** Reads `10^3`, or `× 10^3` behind a number. */
function readPowerOfTen(tokens: readonly Token[], at: number, { value, end }: Amount): Amount | undefined {
  if (textAt(tokens, at) === '10') {
    const alone = readExponent(tokens, at + 1)
    if (alone !== undefined) return { value: shiftValue(1, alone.value), end: alone.end }
  }
  const sign = skipSpace(tokens, end)
  const joined = /^x10$/i.test(textAt(tokens, sign))
  if (!joined && !/^[x×·*]$/i.test(textAt(tokens, sign))) return undefined
  const ten = joined ? sign : skipSpace(tokens, sign + 1)
  const power = joined || textAt(tokens, ten) === '10' ? readExponent(tokens, ten + 1) : undefined
  if (value === undefined || power === undefined) return undefined
  return { value: shiftValue(value, power.value), end: power.end }
}

/** Reads `^3`, `^{-3}` or `**3`. */
function readExponent(tokens: readonly Token[], at: number): { value: number; end: number } | undefined {
  if (textAt(tokens, at) === '**' && /^\d{1,4}$/.test(textAt(tokens, at + 1)))
    return { value: Number(textAt(tokens, at + 1)), end: at + 2 }
  const [, sign = '', digits] = /^\^[{(]? ?([-+–]?)(\d{1,4}) ?[})]?$/.exec(textAt(tokens, at)) ?? []
  if (digits === undefined) return undefined
  return { value: /[-–]/.test(sign) ? -Number(digits) : Number(digits), end: at + 1 }
}

/** Reads the line and the lower part of a fraction: `3/4`, `3 / 4`. A second line (`1/2/2024`) makes it no number. */
function readQuotient(tokens: readonly Token[], { value, end }: Amount): Amount | undefined {
  const below = behindSlash(tokens, end)
  if (below === undefined || value === undefined) return undefined
  const divisor = valueOfDigits(textAt(tokens, below))
  let last = below + 1
  for (let more = behindSlash(tokens, last); more !== undefined; more = behindSlash(tokens, last))
    last = more + 1
  // `1/2,75` may be two numbers.
  const inDoubt = [below, end - 1].some((at) => isDecimalComma(textAt(tokens, at)))
  const single = last === below + 1 && divisor !== undefined && !inDoubt
  return { value: single ? value / divisor : undefined, end: last }
}

function behindSlash(tokens: readonly Token[], end: number): number | undefined {
  const slash = skipSpace(tokens, end)
  if (textAt(tokens, slash) !== '/') return undefined
  const below = skipSpace(tokens, slash + 1)
  return tokens[below]?.kind === 'number' ? below : undefined
}

/** Reads the fraction of a mixed number: `1 3/4`. */
function readMixed(tokens: readonly Token[], { value, end }: Amount): Amount | undefined {
  const [space, above, slash, below] = [0, 1, 2, 3].map((i) => textAt(tokens, end + i)) as string[]
  if (!Number.isSafeInteger(value) || space !== ' ' || slash !== '/') return undefined
  if (!/^\d{1,9}$/.test(above as string) || !/^\d{1,9}$/.test(below as string)) return undefined
  if (Number(above) >= Number(below) || behindSlash(tokens, end + 4) !== undefined) return undefined
  return { value: (value as number) + Number(above) / Number(below), end: end + 4 }
}
