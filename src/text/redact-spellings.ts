/** Longer values (keys of many lines) are found only in their usual forms: a pattern of all their characters would be too large. */
const longest = 256

/** A backslash precedes the character. */
const behindBackslash = '(?<=\\\\)'

/** Each level of nested quoting doubles the backslashes. */
const backslashes = '\\\\{0,16}'

/** Finds the ranges of a value in a text, in any spelling. */
export type FindSpellings = (text: PreparedText) => Generator<readonly [start: number, end: number]>

/** A text, with its decoded letters and its digits without breaks. They exclude most texts without a pattern. */
interface PreparedText {
  text: string
  letters: string
  digits: string
}

/** Prepares a text for the search for several values. */
export const prepareText = (text: string): PreparedText => ({
  text,
  letters: mayBeEncoded.test(text) ? lettersOf(text) : '',
  digits: text.replace(breaks, ''),
})

/** Every spelling other than the value itself contains one of these characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: texts in UTF-16 have null bytes
const mayBeEncoded = /[%&\\+\u0000\u0080-\uffff]|['"]['"]/

/**
 * Creates a finder for a value whose characters are percent-encoded, HTML entities, escapes of JSON, JavaScript, Python or C, quoted
 * for a shell or YAML, composed or decomposed Unicode, or separated by null bytes (UTF-16). Each character may use another way.
 * Undefined if the value is too long.
 */
export function createSpellingFinder(value: string): FindSpellings | undefined {
  if (value.length > longest) return undefined
  const [first = '', ...rest] = unitsOf(value)
  const between = `\\u0000?${backslashes}`
  const pattern = new RegExp([spelled(first), ...rest.map((unit) => between + spelled(unit))].join(''), 'g')
  const letters = needleOf(value)
  return (text) => (text.letters.includes(letters) ? matches(pattern, text.text) : nothing())
}

/** Creates a finder for digits (base64, hexadecimal) with line breaks or signs between them. */
export function createDigitFinder(digits: readonly string[]): FindSpellings | undefined {
  if (digits.length > 4 * longest) return undefined
  const pattern = new RegExp(digits.map(escaped).join(`(?:${breaks.source}){0,12}`), 'g')
  const whole = digits.join('').replace(breaks, '')
  return (text) => (text.digits.includes(whole) ? matches(pattern, text.text) : nothing())
}

/** Returns the longest run of letters and digits in a value, without what may belong to an escape before it. */
function needleOf(value: string): string {
  const runs = [...value.matchAll(/([\\%&#;]?)([A-Za-z0-9]+)/g)].map(([, sign, run = '']) =>
    sign === '' ? run : run.slice(8),
  )
  return runs.sort((a, b) => b.length - a.length)[0] ?? ''
}

function* nothing(): Generator<never> {}

function* matches(pattern: RegExp, text: string): Generator<readonly [number, number]> {
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    yield [found.index, found.index + found[0].length]
    // Another match may begin inside this one.
    pattern.lastIndex = found.index + 1
  }
}

const breaks = /\s|\\[nrtx]?|0[xX]|[:,%-]/g

function lettersOf(text: string): string {
  return text
    .replace(/(?:%(?:25)*[0-9a-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replace(/%(?:25)*/g, ''), 'hex').toString(),
    )
    .replace(
      /&(?:amp;)*(?:#(?:x([0-9a-f]{1,12})|(\d{1,12}))|[a-z]{2,4});/gi,
      (_, hex?: string, decimal?: string) =>
        character(hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16)),
    )
    .replace(
      /[\\%](?:u(?:\{([0-9a-f]{1,8})\}|([0-9a-f]{4}))|x([0-9a-f]{2})|([0-7]{3})|[nrt])/gi,
      (_, braced?: string, unicode?: string, hex?: string, octal?: string) =>
        character(
          octal === undefined
            ? Number.parseInt(braced ?? unicode ?? hex ?? '0', 16)
            : Number.parseInt(octal, 8),
        ),
    )
    .normalize('NFC')
    .replace(/[^A-Za-z0-9]+/g, '')
}

const character = (code: number): string => (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : '')

/** Splits a value into characters, with a run of backslashes as one: separate ones would cause catastrophic backtracking. */
const unitsOf = (value: string): string[] => value.normalize('NFC').match(/\\+|./gsu) ?? []

function spelled(unit: string): string {
  if (unit.startsWith('\\')) {
    const each = [entityOf('\\'), unicodeEscapeOf('\\'), bytesOf('\\')].join('|')
    return `(?:\\\\{${unit.length},${16 * unit.length}}|(?:${each}){${unit.length}})`
  }
  const [composed, decomposed] = [unit, unit.normalize('NFD')]
  const spellings = [
    escaped(composed),
    ...(formatEscapes[unit] ?? []),
    entityOf(unit),
    unicodeEscapeOf(unit),
    bytesOf(composed),
  ]
  if (decomposed !== composed)
    spellings.push(escaped(decomposed), unicodeEscapeOf(decomposed), bytesOf(decomposed))
  const code = unit.codePointAt(0) ?? 0
  if (code > 0x7f && code < 0x100) spellings.push(byte(code))
  return `(?:${spellings.join('|')})`
}

/** Further spellings of some characters in single formats. */
const formatEscapes: Readonly<Record<string, readonly string[]>> = {
  ' ': ['\\+'],
  '\n': [`${behindBackslash}n`, '\\r\\n', `${behindBackslash}r\\\\+n`],
  '\r': [`${behindBackslash}r`],
  '\t': [`${behindBackslash}t`],
  "'": [`'\\\\{1,16}''`, `'"{1,2}'"{1,2}'`, "''", '&(?:amp;){0,3}apos;'],
  '"': ['""', '&(?:amp;){0,3}quot;'],
  '&': ['&(?:amp;){1,4}'],
  '<': ['&(?:amp;){0,3}lt;'],
  '>': ['&(?:amp;){0,3}gt;'],
}

function entityOf(unit: string): string {
  const code = unit.codePointAt(0) ?? 0
  return `&(?:amp;){0,3}#(?:0{0,6}${code}|[xX]0{0,6}${eitherCase(code.toString(16))});`
}

function unicodeEscapeOf(text: string): string {
  const units = Array.from({ length: text.length }, (_, at) =>
    text.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  const code = (text.codePointAt(0) ?? 0).toString(16)
  const each = units.map((unit) => `\\\\{0,16}(?:${behindBackslash}|%)u${eitherCase(unit)}`).join('')
  return `(?:${each}|${behindBackslash}u\\{0{0,6}${eitherCase(code)}\\})`
}

/** Matches the UTF-8 bytes of a text, percent-encoded or as escapes. */
const bytesOf = (text: string): string => [...Buffer.from(text)].map(byte).join('')

function byte(value: number): string {
  const hex = eitherCase(value.toString(16).padStart(2, '0'))
  const octal = value.toString(8).padStart(3, '0')
  return `(?:%(?:25){0,3}${hex}|\\\\{0,16}${behindBackslash}(?:x${hex}|${octal}))`
}

const eitherCase = (hex: string): string =>
  hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
