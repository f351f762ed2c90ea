import { shiftValue } from './digits.ts'
import { isUnitOfSign } from './foreign-magnitudes.ts'
import { skipSpace, type Token, textAt } from './tokens.ts'
import { currencies, magnitudeSigns, magnitudes, moneyMagnitudes, parts } from './words.ts'

interface Scaled {
  /** A percentage has two: 45% is 45 and 0.45. */
  values: readonly number[]
  end: number
  problem?: string
}

/** Reads magnitudes (`million`, `k`), parts (`tenths`), `and a half` and percent behind a number. */
export function readScale(tokens: readonly Token[], value: number, start: number, money: boolean): Scaled {
  const letter = readLetter(tokens, start, money)
  if (letter?.problem !== undefined) return { values: [value], ...letter }
  let scaled = letter === undefined ? value : multiply(value, letter.factor)
  let end = letter?.end ?? start
  for (let word = wordBehind(tokens, end); ; word = wordBehind(tokens, end)) {
    const factor = magnitudeOf(textAt(tokens, word).toLowerCase())
    if (factor === undefined) break
    scaled = multiply(scaled, factor)
    end = word + 1
  }
  const part = readPart(tokens, scaled, end)
  return readPercent(tokens, part.value, part.end)
}

function magnitudeOf(word: string): number | undefined {
  const signs = /^[百千万萬億亿兆백천만억조]+/.exec(word)?.[0]
  if (signs === undefined || isUnitOfSign(word)) return magnitudes.get(word)
  return [...signs].reduce((product, sign) => product * (magnitudeSigns.get(sign) as number), 1)
}

const multiply = (value: number, factor: number) =>
  /^10*$/.test(String(factor)) ? shiftValue(value, Math.round(Math.log10(factor))) : value * factor

const wordBehind = (tokens: readonly Token[], end: number) =>
  /^(?: +|-)$/.test(textAt(tokens, end)) ? end + 1 : end

interface Letter {
  factor: number
  end: number
  problem?: string
}

/** Reads a letter of magnitude. A capital right behind a number is one; lower-case letters may be units, unless it is money. */
function readLetter(tokens: readonly Token[], start: number, money: boolean): Letter | undefined {
  const at = skipSpace(tokens, start)
  const written = textAt(tokens, at)
  const factor = moneyMagnitudes.get(written.toLowerCase())
  const end = at + 1
  if (/^(?:mil|bil|tril)$/i.test(written))
    return { factor: 1, end, problem: `${JSON.stringify(written)} may be a magnitude` }
  if (factor === undefined) return undefined
  if (money || isCurrency(tokens, skipSpace(tokens, end))) return { factor, end }
  if (written === 'k' || (at === start && /^[KMB]$/.test(written))) return { factor, end }
  if (/^(?:[KMBTb]|MM)$/.test(written))
    return { factor: 1, end, problem: `${JSON.stringify(written)} may be a magnitude or a unit` }
  return undefined
}

/** Whether a token is a currency: `$`, `EUR`, `dollars`. */
export const isCurrency = (tokens: readonly Token[], at: number): boolean =>
  currencies.has(textAt(tokens, at).toLowerCase()) ||
  /^(?:dollars?|euros?|pounds?|bucks)$/i.test(textAt(tokens, at))

/** Reads `3 tenths`, `1 half`, and `3 and a half`. */
function readPart(tokens: readonly Token[], value: number, end: number): { value: number; end: number } {
  const at = wordBehind(tokens, end)
  const word = textAt(tokens, at).toLowerCase()
  const divisor = parts.get(word)
  if (at > end && divisor !== undefined && (value === 1 || /s$/.test(word)) && textAt(tokens, at + 1) !== '-')
    return { value: value / divisor, end: at + 1 }
  const [, a, part] = [0, 2, 4].map((i) => textAt(tokens, at + i).toLowerCase())
  if (word === 'and' && a === 'a' && (part === 'half' || part === 'quarter') && Number.isSafeInteger(value))
    return { value: value + (part === 'half' ? 0.5 : 0.25), end: at + 5 }
  return { value, end }
}

function readPercent(tokens: readonly Token[], value: number, end: number): Scaled {
  const at = wordBehind(tokens, end)
  const word = textAt(tokens, at).toLowerCase()
  const two = word === 'per' && textAt(tokens, at + 2).toLowerCase() === 'cent'
  if (!two && !['%', 'percent', 'pct'].includes(word)) return { values: [value], end }
  const values = [value, value / 100]
  if (textAt(tokens, at + 1) === '%') return { values, end: at + 2, problem: '"%%" is no unit' }
  return { values, end: two ? at + 3 : at + 1 }
}
