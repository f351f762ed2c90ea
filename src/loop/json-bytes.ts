/*
 * JSON read where it stands, as bytes: whether it is valid, where it ends and what number it is, with no object or text made
 * of it. What is read must end with a newline or some other byte that no value can hold: no reader looks for the end.
 */

/** Where a reader stands, and what it read last. */
export interface Cursor {
  bytes: Buffer
  /** Of the same bytes. */
  view: DataView
  /** Another number for other content of `bytes`. */
  content: number
  at: number
  /** The number read last; of a truth value 0 or 1, of null NaN, of one of several words its place among them. */
  number: number
}

/** Reads one value and goes behind it. False: it is none that this reader knows, and the cursor stands anywhere. */
export type Reader = (cursor: Cursor) => boolean

const code = (character: string) => character.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const comma = code(',')
const colon = code(':')
const zero = code('0')
const nine = code('9')
const minus = code('-')

/** Bytes that stand for themselves in a text: no quote, no backslash, no control character. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x20 && byte !== quote && byte !== backslash ? 1 : 0,
)
const isHex = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9a-fA-F]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
const isEscape = Uint8Array.from({ length: 256 }, (_, byte) =>
  '"\\/bfnrt'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

/** Nothing that bench writes nests deeper. */
const deepest = 64

/** Any text. */
export const text: Reader = (cursor) => {
  const { bytes, view } = cursor
  const lastWord = bytes.length - 4
  let { at } = cursor
  if (bytes[at] !== quote) return false
  for (;;) {
    at++
    let special = 0
    while (at <= lastWord) {
      special = specialIn(view.getInt32(at, true))
      if (special !== 0) break
      at += 4
    }
    if (special !== 0) at += lowestByte(special)
    else while (isPlain[bytes[at] as number]) at++
    if (bytes[at] === quote) break
    if (bytes[at] !== backslash) return false
    const kind = bytes[++at] as number
    if (isEscape[kind]) continue
    if (kind !== code('u')) return false
    for (let digit = 0; digit < 4; digit++) if (!isHex[bytes[++at] as number]) return false
  }
  cursor.at = at + 1
  return true
}

/**
 * Four bytes at once: the lowest bit that is set stands in the first of them that is a quote, a backslash or below a space;
 * 0: they are plain (Anderson, Bit Twiddling Hacks; only behind such a byte may one be taken for special that is not).
 */
function specialIn(word: number): number {
  const quotes = word ^ 0x22222222
  const backslashes = word ^ 0x5c5c5c5c
  const special =
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes) |
    ((word - 0x20202020) & ~word)
  return special & 0x80808080
}

/** In which of four bytes the lowest bit that is set stands. */
export function lowestByte(word: number): number {
  return (31 - Math.clz32(word & -word)) >> 3
}

/** Exactly these characters of ASCII; `value` is what the cursor's number becomes. */
export function exactly(characters: string, value: number): Reader {
  const expected = Buffer.from(characters, 'latin1')
  return (cursor) => {
    if (!startsWith(cursor.bytes, cursor.at, expected)) return false
    cursor.at += expected.length
    cursor.number = value
    return true
  }
}

/** Whether these bytes stand there. */
export function startsWith(bytes: Buffer, at: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++)
    if (bytes[at + index] !== expected[index]) return false
  return true
}

/** Powers of ten that a double holds exactly, as far as they are needed. */
const powers = Float64Array.from({ length: 16 }, (_, power) => 10 ** power)

/** Any number but one too large for a double. */
export const number: Reader = (cursor) => {
  const { bytes } = cursor
  const start = cursor.at
  const first = bytes[start] === minus ? start + 1 : start
  let at = first
  let value = 0
  for (let byte = bytes[at] as number; byte >= zero && byte <= nine; byte = bytes[++at] as number)
    value = 10 * value + byte - zero
  let digits = at - first
  if (digits === 0 || (digits > 1 && bytes[first] === zero)) return false
  let decimals = 0
  if (bytes[at] === code('.')) {
    at++
    const point = at
    for (let byte = bytes[at] as number; byte >= zero && byte <= nine; byte = bytes[++at] as number)
      value = 10 * value + byte - zero
    decimals = at - point
    digits += decimals
    if (decimals === 0) return false
  }
  const hasExponent = ((bytes[at] as number) | 0x20) === code('e')
  if (hasExponent) {
    at = exponentEnd(bytes, at)
    if (at < 0) return false
  }
  // With more digits the quotient of two exact doubles would no longer be the nearest one.
  if (hasExponent || digits > 15) value = Number(bytes.toString('latin1', start, at))
  else {
    if (decimals > 0) value /= powers[decimals] as number
    if (first !== start) value = -value
  }
  cursor.at = at
  cursor.number = value
  return Number.isFinite(value)
}

/** Where the exponent that begins here ends; -1 where it has no digit. */
function exponentEnd(bytes: Buffer, start: number): number {
  const sign = bytes[start + 1]
  const first = sign === minus || sign === code('+') ? start + 2 : start + 1
  let at = first
  while ((bytes[at] as number) >= zero && (bytes[at] as number) <= nine) at++
  return at === first ? -1 : at
}

/** A list of what `item` reads. */
export function listOf(item: Reader): Reader {
  return (cursor) => {
    const { bytes } = cursor
    if (bytes[cursor.at++] !== code('[')) return false
    if (bytes[cursor.at] === code(']')) {
      cursor.at++
      return true
    }
    for (;;) {
      if (!item(cursor)) return false
      const next = bytes[cursor.at++]
      if (next !== comma) return next === code(']')
    }
  }
}

/** An object of any keys, each with what `value` reads. */
export function mapOf(value: Reader): Reader {
  return (cursor) => {
    const { bytes } = cursor
    if (bytes[cursor.at++] !== code('{')) return false
    if (bytes[cursor.at] === code('}')) {
      cursor.at++
      return true
    }
    for (;;) {
      if (!text(cursor) || bytes[cursor.at++] !== colon || !value(cursor)) return false
      const next = bytes[cursor.at++]
      if (next !== comma) return next === code('}')
    }
  }
}

const [isTrue, isFalse, isNull] = [exactly('true', 1), exactly('false', 0), exactly('null', Number.NaN)]

/** True or false. */
export const truth: Reader = (cursor) =>
  cursor.bytes[cursor.at] === code('t') ? isTrue(cursor) : isFalse(cursor)

/** What `value` reads, or null. */
export function nullOr(value: Reader): Reader {
  return (cursor) => (cursor.bytes[cursor.at] === code('n') ? isNull(cursor) : value(cursor))
}

/** Any value that nests no deeper than `left`. */
function anyOf(left: number): Reader {
  // Made when one nests so deep.
  let inner: { list: Reader; map: Reader } | undefined
  const nested = () => {
    inner ??= { list: listOf(anyOf(left - 1)), map: mapOf(anyOf(left - 1)) }
    return inner
  }
  return (cursor) => {
    switch (cursor.bytes[cursor.at]) {
      case quote:
        return text(cursor)
      case code('{'):
        return left > 0 && nested().map(cursor)
      case code('['):
        return left > 0 && nested().list(cursor)
      case code('t'):
      case code('f'):
        return truth(cursor)
      case code('n'):
        return isNull(cursor)
      default:
        return number(cursor)
    }
  }
}

/** Any value. */
export const anything: Reader = anyOf(deepest)
