/**
 * Returns the value of digits with the marks between them; undefined if they are no single number (`1,2,3`, `1_000`, `1.2.3`).
 * Commas, apostrophes and, if there are several, dots part thousands; lakhs are read too (`12,34,567`). A comma that can part no
 * thousands is a decimal comma (`0,125`, `2,74`, `1000,99`), except before a single digit: `5,5` may be two numbers.
 */
export function valueOfDigits(written: string): number | undefined {
  const [digits = '', exponent] = written.split(/e/i)
  const plain = plainDigits(digits)
  if (plain === undefined) return undefined
  return Number(exponent === undefined ? plain : `${plain}e${exponent.replace('–', '-')}`)
}

function plainDigits(digits: string): string | undefined {
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(digits)) return digits
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  if (/^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  if (/^[1-9]\d{0,2}(?:'\d{3})+(?:\.\d+|,(?:\d{1,2}|\d{4,}))?$/.test(digits))
    return digits.replaceAll("'", '').replace(',', '.')
  if (/^[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?$/.test(digits) || /^[1-9]\d{0,2}\.\d{3},\d+$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.')
  return isDecimalComma(digits) ? digits.replace(',', '.') : undefined
}

/** Whether digits are parted by one comma alone, and it can only be a decimal comma: `0,125`, `2,74`, `1000,99`. */
export const isDecimalComma = (digits: string): boolean =>
  /^(?:0,\d+|[1-9]\d*,(?:\d{2}|\d{4,}))$/.test(digits)

/** Returns a value times a power of ten, without the error of a binary product: 4.35 and 2 give 435. */
export function shiftValue(value: number, power: number): number {
  const written = String(value)
  return /e/.test(written) ? value * 10 ** power : Number(`${written}e${power}`)
}
