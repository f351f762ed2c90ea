/** A number in a text. */
export interface FoundNumber {
  /** As written. */
  text: string
  /** Its values: `45%` is 45 and 0.45. Empty for digits that are part of something else: `0x10`, `2^10`, `1_000`. */
  values: readonly number[]
  start: number
  end: number
}

// Digits inside words (`x2`, `H2O`) and powers of a unit (`m^2`) are not numbers. Commas may separate groups of three digits. A
// power of ten needs an exponent: `3 x 100` is two numbers. An expression (`2^10`, `2^n`, `0x10`, `3x4`) matches as a whole,
// because its first digits alone would be wrong; a unit (`5m2`, `42kgCO2e`, `30^\circ`) is not part of it.
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

/** Returns all numbers of a text, in order. */
export function readNumbers(text: string): FoundNumber[] {
  // A plain integer needs no pattern.
  if (/^-?\d{1,15}$/.test(text)) return [{ text, values: [Number(text)], start: 0, end: text.length }]
  return [...text.matchAll(numberForm())].map((match) => {
    const { sign = '', dash = '', sign2 = '', digits = '', exponent, rest, percent } = match.groups ?? {}
    // `10^3` without a factor has the mantissa 1.
    const mantissa = exponent !== undefined && /^[\^⁻⁰¹²³⁴-⁹]/u.test(exponent) ? '1' : digits
    const size = Number(`${mantissa.replaceAll(',', '')}${exponent === undefined ? '' : powerOf(exponent)}`)
    const value = /[-−–]/.test(sign + dash + sign2) ? -size : size
    const written = match[0].trim()
    const end = match.index + match[0].length
    const values = rest === undefined ? (percent ? [value, value / 100] : [value]) : []
    return { text: written, values, start: end - match[0].trimStart().length, end }
  })
}

/** Returns the only number of a text if it is finite; undefined without a number, or with several. */
export function readNumber(text: string): number | undefined {
  const [first, ...others] = readNumbers(text.replaceAll('\\$', '$'))
  const value = first?.values[0]
  return others.length === 0 && Number.isFinite(value) ? value : undefined
}

/** Returns a power of ten as `e3`, from any notation. */
function powerOf(exponent: string): string {
  const [written = ''] = /[-+−–⁻]?(?:\d+|[⁰¹²³⁴-⁹]+)(?=\}?$)/u.exec(exponent) ?? []
  const plain = written
    .replace(/^[−–⁻]/, '-')
    .replace(/[⁰¹²³⁴-⁹]/gu, (digit) => String(superscripts.indexOf(digit)))
  return `e${plain}`
}
