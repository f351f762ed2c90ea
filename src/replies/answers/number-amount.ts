/** The size of a number; undefined if the digits are no single number. `end` is where it ends in its text. */
interface Amount {
  value: number | undefined
  end: number
}

const digits = String.raw`\.?\d+(?:[.,'_]\d+)*(?:[eE][-+–]?\d+(?![\p{L}\d]))?`
const forms = {
  digits: new RegExp(digits, 'uy'),
  // Groups of three digits that single spaces part: `12 500`, `12 500,75`. More of them are no answer.
  grouped: /[1-9]\d{0,2}(?: \d{3}){1,7}(?:\.\d+|,(?:\d{1,2}|\d{4,}))?(?![.,'_]?\d|[eE][-+–]?\d| \.?\d|\/)/y,
  power: /(?:\*\*(\d{1,4})(?![.,'_]?\d)|\^[{(]? ?([-+–]?)(\d{1,4}) ?[})]?)(?![\p{L}\d°']|\.\d)/uy,
  ten: / ?[x×·*] ?10(?=\^|\*\*)/iy,
  quotient: new RegExp(` ?/ ?(${digits})`, 'uy'),
  mixed: /^ (\d{1,9})\/(\d{1,9})(?![.,'_]?\d| ?\/)/,
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at
  return form.exec(text) ?? undefined
}

/** Reads the size of the number whose digits start at a place: with groups, as a fraction, or with a power of ten. */
export function readAmount(text: string, at: number): Amount {
  const groups = matchAt(forms.grouped, text, at)?.[0]
  const written = groups ?? (matchAt(forms.digits, text, at)?.[0] as string)
  const value =
    groups === undefined ? valueOfDigits(written) : Number(written.replaceAll(' ', '').replace(',', '.'))
  const end = at + written.length
  return readPower(text, at, { value, end }) ?? readQuotient(text, written, { value, end }) ?? { value, end }
}

/** Reads `10^3`, or `× 10^3` behind a number. */
function readPower(text: string, at: number, { value, end }: Amount): Amount | undefined {
  const ten = matchAt(forms.ten, text, end)
  const isTen = text.slice(at, end) === '10'
  const power = matchAt(forms.power, text, ten ? end + ten[0].length : end)
  if (power === undefined || value === undefined || (!isTen && !ten)) return undefined
  const [whole, stars, sign = '', raised] = power
  const exponent = Number(stars ?? raised) * (/[-–]/.test(sign) ? -1 : 1)
  return { value: shiftValue(ten ? value : 1, exponent), end: power.index + whole.length }
}

/** Reads the rest of a fraction (`3/4`, `3 / 4`) or of a mixed number (`1 3/4`). A second line (`1/2/2024`) makes it no number. */
function readQuotient(text: string, written: string, { value, end }: Amount): Amount | undefined {
  const [mixed, above, below] = forms.mixed.exec(text.slice(end, end + 24)) ?? []
  if (mixed !== undefined && Number.isSafeInteger(value) && Number(above) < Number(below))
    return { value: (value as number) + Number(above) / Number(below), end: end + mixed.length }
  const quotient = value === undefined ? undefined : matchAt(forms.quotient, text, end)
  if (!quotient) return undefined
  const divisor = quotient[1] as string
  let last = end + quotient[0].length
  const isSingle = !matchAt(forms.quotient, text, last)
  for (let more = quotient as RegExpExecArray | undefined; more; more = matchAt(forms.quotient, text, last))
    last = more.index + more[0].length
  // `1/2,75` may be two numbers.
  const isPlain = isSingle && !isDecimalComma(written) && !isDecimalComma(divisor)
  const under = valueOfDigits(divisor)
  return { value: isPlain && under !== undefined ? (value as number) / under : undefined, end: last }
}

/**
 * Returns the value of digits with the marks between them; undefined if they are no single number (`1,2,3`, `1_000`, `1.2.3`).
 * Commas, apostrophes and, if there are several, dots part thousands; lakhs are read too (`12,34,567`). A comma that can part no
 * thousands is a decimal comma (`0,125`, `2,5`, `2,74`, `1000,99`).
 */
function valueOfDigits(written: string): number | undefined {
  const [mantissa = '', exponent] = written.split(/e/i)
  const plain = spellings.find(([form]) => form.test(mantissa))?.[1](mantissa)
  if (plain === undefined) return undefined
  return Number(exponent === undefined ? plain : `${plain}e${exponent.replace('–', '-')}`)
}

/** Whether digits are parted by one comma alone, and it can only be a decimal comma: `0,125`, `2,5`, `1000,99`. */
export const isDecimalComma = (written: string): boolean => decimalComma.test(written)

const decimalComma = /^(?:0,\d+|[1-9]\d*,(?:\d{1,2}|\d{4,}))$/
const spellings: readonly (readonly [RegExp, (text: string) => string])[] = [
  [/^(?:\d+(?:\.\d+)?|\.\d+)$/, (text) => text],
  [
    /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$|^[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/,
    (text) => text.replaceAll(',', ''),
  ],
  [
    /^[1-9]\d{0,2}(?:'\d{3})+(?:\.\d+|,(?:\d{1,2}|\d{4,}))?$/,
    (text) => text.replaceAll("'", '').replace(',', '.'),
  ],
  [
    /^[1-9]\d{0,2}(?:\.\d{3}){2,}(?:,\d+)?$|^[1-9]\d{0,2}\.\d{3},\d+$/,
    (text) => text.replaceAll('.', '').replace(',', '.'),
  ],
  [decimalComma, (text) => text.replace(',', '.')],
]

/** Returns a value times a power of ten, without the error of a binary product: 4.35 and 2 give 435. */
export function shiftValue(value: number, power: number): number {
  const written = String(value)
  return /e/.test(written) ? value * 10 ** power : Number(`${written}e${power}`)
}

/**
 * Rewrites the numbers of a text in which a comma stands before decimals and points may part thousands: `1.234,5` becomes `1234.5`.
 * Numbers that can only be written with a decimal point (`2.5`), or have several commas, stay as they are.
 */
export const commasToPoints = (text: string): string =>
  text.replace(/\d[\d.,]*/g, (number) => {
    const [, whole, decimals = '', rest] =
      /^(\d+|[1-9]\d{0,2}(?:\.\d{3})+)(?:,(\d+))?([.,]?)$/.exec(number) ?? []
    if (whole === undefined) return number
    return `${whole.replaceAll('.', '')}${decimals && `.${decimals}`}${rest}`
  })

const units =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'
const small = new Map<string, number>([
  ...units.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, 20 + 10 * index] as const),
  ['fourty', 40],
])
const large = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
  ['trillion', 1e12],
])

/** A word for a number, as an expression: `seven`, `forty`. */
export const numberWord = [...small.keys()].join('|')

const nextWord = /[ -](?:(?<= )and )?(\p{L}+)/uy

/** An English number in words. `end` is where it ends in its text. */
interface WordedNumber {
  value: number
  end: number
}

/** Reads the English number that starts at a place: `two hundred and seven`, `forty-two`; undefined if none starts there. */
export function readNumberWords(text: string, start: number): WordedNumber | undefined {
  let total = 0
  let group: number | undefined
  let lastAdded = Number.POSITIVE_INFINITY
  let end = start
  let match = /^\p{L}+/u.exec(text.slice(start, start + 20))?.[0]
  for (let at = start; match !== undefined; ) {
    const word = match.toLowerCase()
    const value = small.get(word)
    if (value !== undefined) {
      // `forty two` is one number; `two forty` and `two two` are two.
      if (value >= lastAdded || (lastAdded >= 20 && lastAdded < 100 && value >= 10)) return undefined
      if (group !== undefined && lastAdded < 20) return undefined
      group = (group ?? 0) + value
      lastAdded = value
    } else if (word === 'hundred' && group !== undefined && group > 0 && group < 100) {
      group *= 100
      lastAdded = 100
    } else if (large.has(word) && group !== undefined) {
      total += group * (large.get(word) as number)
      group = 0
      lastAdded = Number.POSITIVE_INFINITY
    } else break
    end = at + word.length
    nextWord.lastIndex = end
    const next = nextWord.exec(text)
    at = nextWord.lastIndex - (next?.[1]?.length ?? 0)
    match = next?.[1]
  }
  return end === start ? undefined : { value: total + (group ?? 0), end }
}
