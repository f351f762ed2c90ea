/** A number in a text. */
export interface FoundNumber {
  /** As written. */
  text: string
  /** Its readings: `45%` is 45 as well as 0.45. None for digits that go on as something else: `0x10`, `2^10`, `1_000`. */
  values: readonly number[]
  start: number
  end: number
}

// Digits inside words (`x2`, `H2O`) and powers of a unit (`m^2`) are no numbers. Groups of three digits may be parted by commas. A power of ten is
// written with its exponent: `3 x 100` is two numbers. What goes on as another number (`2^10`, `2^n`, `0x10`, `3x4`) is taken
// whole, since its first digits alone would be wrong; a unit (`5m2`, `42kgCO2e`, `30^\circ`) is none of that. A function,
// since its classes take a while to make and many runs read no numbers.
const numberForm = () =>
  new RegExp(
    [
      /(?<![\p{L}\p{N}_.]|\p{L}\^\{?[-+−–]?)(?:(?<sign>[-+−])\s?|(?<dash>–)(?=[\d.$€£¥]))?[$€£¥]?(?<sign2>[-−–]?)/u,
      /(?<digits>\d{1,3}(?:,\d{3})+(?!\d|,\d)(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)/u,
      /(?<exponent>e[-+−–]?\d+|(?:\s?(?:[×x*·⋅]|\\times|\\cdot)\s?10|(?<=(?<![\p{L}\p{N}.,])10))(?:\^\{?[-+−–]?\d+\}?|⁻?[⁰¹²³⁴-⁹]+))?/u,
      /(?<rest>(?:\^\{?[-+−–]?(?:\d|[a-np-z](?!\p{L}))|[⁰¹²³⁴-⁹]|[._]\d|\*\*(?=[\d(])|(?<=0)x[\da-f]+(?!\p{L})|(?:e\d*)?x\d|e[-+−–]?\d|[xyzn]\^)[\p{L}\p{N}_^{}]*(?:\.[\p{L}\p{N}_^{}]+)*)?/u,
      /(?<percent>\s?\\?%)?/u,
    ]
      .map(({ source }) => source)
      .join(''),
    'giu',
  )

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'

/** All numbers in a text, in its order. */
export function readNumbers(text: string): FoundNumber[] {
  // What most answers are needs no pattern.
  if (/^-?\d{1,15}$/.test(text)) return [{ text, values: [Number(text)], start: 0, end: text.length }]
  return [...text.matchAll(numberForm())].map((match) => {
    const { sign = '', dash = '', sign2 = '', digits = '', exponent, rest, percent } = match.groups ?? {}
    // Without a factor before it, `10^3` is itself the power.
    const mantissa = exponent !== undefined && /^[\^⁻⁰¹²³⁴-⁹]/u.test(exponent) ? '1' : digits
    const size = Number(`${mantissa.replaceAll(',', '')}${exponent === undefined ? '' : powerOf(exponent)}`)
    const value = /[-−–]/.test(sign + dash + sign2) ? -size : size
    const written = match[0].trim()
    const end = match.index + match[0].length
    const values = rest === undefined ? (percent ? [value, value / 100] : [value]) : []
    return { text: written, values, start: end - match[0].trimStart().length, end }
  })
}

/** The finite number that a text holds, and no other; undefined where there is none. */
export function readNumber(text: string): number | undefined {
  const [first, ...others] = readNumbers(text.replaceAll('\\$', '$'))
  const value = first?.values[0]
  return others.length === 0 && Number.isFinite(value) ? value : undefined
}

/** `e3` of every way of writing it. */
function powerOf(exponent: string): string {
  const [written = ''] = /[-+−–⁻]?(?:\d+|[⁰¹²³⁴-⁹]+)(?=\}?$)/u.exec(exponent) ?? []
  const plain = written
    .replace(/^[−–⁻]/, '-')
    .replace(/[⁰¹²³⁴-⁹]/gu, (digit) => String(superscripts.indexOf(digit)))
  return `e${plain}`
}
