/**
 * Returns the value of digits with the marks between them; undefined if they are no single number (`1,2,3`, `1_000`, `1.2.3`).
 * Commas, apostrophes and, if there are several, dots part thousands; lakhs are read too (`12,34,567`).
 */
export function valueOfDigits(written: string): number | undefined {
  const [digits = '', exponent] = written.split(/e/i)
  const plain = plainDigits(digits)
  if (plain === undefined) return undefined
  return Number(exponent === undefined ? plain : `${plain}e${exponent.replace('–', '-')}`)
}

function plainDigits(digits: string): string | undefined {
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(digits)) return digits
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  if (/^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/.test(digits)) return digits.replaceAll(',', '')
  if (/^\d{1,3}(?:'\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll("'", '')
  if (/^\d{1,3}(?:\.\d{3}){2,}(?:,\d+)?$/.test(digits) || /^\d{1,3}\.\d{3},\d+$/.test(digits))
    return digits.replaceAll('.', '').replace(',', '.')
  return undefined
}

/** Returns a value times a power of ten, without the error of a binary product: 4.35 and 2 give 435. */
export function shiftValue(value: number, power: number): number {
  const written = String(value)
  return /e/.test(written) ? value * 10 ** power : Number(`${written}e${power}`)
}
