import { jsonrepair } from 'jsonrepair'

/** A value in a text that begins with a bracket, as far as it goes. */
export interface Scan {
  /** `value`: a whole value; `cut`: the text ends within one; `broken`: something else follows. */
  outcome: 'value' | 'cut' | 'broken'
  start: number
  /** Where the value ends, or where it breaks. */
  end: number
  /** Start of the string before the end, if the last token is one: its quotes may be wrong. */
  lastString: number | undefined
  /** Whether it starts like data, as prose in brackets does not: with a key and a colon, or a value and a comma. */
  isData: boolean
  /** Number of brackets that are open at the end. */
  depth: number
  /** What a text that is quoted in it could turn into structure, in plain words: comments, other quotes. */
  faults: ReadonlySet<string>
  /** Quotes that must be written otherwise. */
  edits: readonly Edit[]
  /** A key that an object in it has twice: then it is unclear which of the two is meant. */
  repeatedKey: string | undefined
}

interface Edit {
  at: number
  by: string
}

/** What may follow. Before a closing bracket a comma may be too many. */
type Expected = 'value' | 'key' | 'colon' | 'more'

const grammar: Readonly<Record<Expected, Readonly<Record<string, Expected>>>> = {
  value: { '{': 'key', '[': 'value', string: 'more', scalar: 'more' },
  key: { string: 'colon', word: 'colon' },
  colon: { ':': 'value' },
  more: {},
}

function follows(kind: string, expected: Expected, inside: string | undefined): Expected | undefined {
  if (kind === '}') return inside === '{' && /key|more/.test(expected) ? 'more' : undefined
  if (kind === ']') return inside === '[' ? 'more' : undefined
  if (kind === ',') return expected !== 'more' ? undefined : inside === '{' ? 'key' : 'value'
  return grammar[expected][kind]
}

const numberOrWord = /-?\d[\w.+-]*|[A-Za-z_$][\w$-]*/y
const scalar = /^(?:-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|True|False|None)$/

/**
 * Scans the value that begins with the bracket at `start`. `isLenient`: a quote ends a text only where a colon, comma or bracket may
 * follow; others are quotes within the text.
 */
function scanValue(text: string, start: number, isLenient = false): Scan {
  const open: { bracket: string; keys: Set<string> }[] = []
  const faults = new Set<string>()
  const edits: Edit[] = []
  let repeatedKey: string | undefined
  let lastString: number | undefined
  let expected: Expected = 'value'
  for (let at = start, tokens = 0; ; tokens++) {
    const from = skipBlank(text, at)
    if (/\S/.test(text.slice(at, from))) faults.add('comments')
    const string = readString(text, from, expected === 'key', isLenient)
    const { kind, end } = string ?? readToken(text, from)
    const inside = open.at(-1)
    const next = follows(kind, expected, inside?.bracket)
    if (string) lastString = from
    if (kind === 'cut' || !next) {
      const [outcome, end] =
        kind === 'cut' ? (['cut', text.length] as const) : (['broken', Math.max(from, start + 1)] as const)
      return {
        outcome,
        start,
        end,
        lastString,
        isData: tokens >= 3,
        depth: open.length,
        faults,
        edits,
        repeatedKey,
      }
    }
    if (!string) lastString = undefined
    for (const fault of string?.faults ?? []) faults.add(fault)
    for (const edit of string?.edits ?? []) edits.push(edit)
    const written = text.slice(from, end)
    if (kind === 'word') faults.add('keys without quotes')
    if (kind === 'scalar' && /^[TFN]/.test(written)) faults.add('values of Python')
    if (next === 'colon') {
      const key = keyOf(written)
      if (inside?.keys.has(key)) repeatedKey = key
      inside?.keys.add(key)
    }
    if (kind === '{' || kind === '[') open.push({ bracket: kind, keys: new Set() })
    if (kind === '}' || kind === ']') open.pop()
    if (open.length === 0)
      return { outcome: 'value', start, end, lastString, isData: true, depth: 0, faults, edits, repeatedKey }
    expected = next
    at = end
  }
}

function readToken(text: string, from: number): { kind: string; end: number } {
  const char = text[from]
  if (char === undefined) return { kind: 'cut', end: from }
  numberOrWord.lastIndex = from
  const word = numberOrWord.exec(text)?.[0] ?? char
  const kind = '{}[]:,'.includes(char)
    ? char
    : scalar.test(word)
      ? 'scalar'
      : /^[A-Za-z_$]/.test(word)
        ? 'word'
        : 'bad'
  return { kind, end: from + word.length }
}

const behindKey = /\s*:/y
const behindValue = /\s*(?:[}\]]|,\s*(?:["'“”„‘{[}\]\d-]|[A-Za-z_$][\w$-]*\s*:|(?:true|false|null|none)\b))/iy

const besideText = /[\s+.,…]{1,40}["“”]/y

/** Reads a string; undefined where none begins. Its edits make one of it that only plain quotes delimit. */
function readString(text: string, from: number, isKey: boolean, isLenient: boolean) {
  const first = text[from] ?? ''
  const [plain, alike] = '"“”„‟'.includes(first) ? ['"', '"“”„‟'] : ["'", "'‘’‚‛"]
  if (first === '' || !alike.includes(first)) return undefined
  const faults = plain === '"' ? [] : ['single quotes']
  const edits: Edit[] = []
  const isStrict = first === plain && !isLenient
  const behind = isKey ? behindKey : behindValue
  if (first !== plain) edits.push({ at: from, by: plain })
  for (let at = from + 1; at < text.length; at++) {
    const char = text[at] as string
    if (char === '\\') at++
    else if (isStrict ? char === plain : alike.includes(char)) {
      behind.lastIndex = at + 1
      if (isStrict || behind.test(text)) {
        if (char !== plain) edits.push({ at, by: plain })
        if (first !== plain || char !== plain) faults.push('typographic quotes')
        return { kind: 'string', end: at + 1, faults, edits }
      }
      // The colon of a key: a quote is missing before it.
      behindKey.lastIndex = at + 1
      if (behindKey.test(text)) return { kind: 'bad', end: at, faults, edits }
      // Two texts side by side are no text that quotes one: a comma, or what joins them, is missing.
      besideText.lastIndex = at + 1
      if (besideText.test(text)) return { kind: 'bad', end: at, faults, edits }
      if (char === plain) {
        edits.push({ at, by: `\\${plain}` })
        faults.push('quotes within a text without a backslash')
      }
    }
  }
  return { kind: 'cut', end: text.length, faults, edits }
}

function keyOf(written: string): string {
  const key = /^[A-Za-z_$]/.test(written) ? written : written.slice(1, -1)
  try {
    return key.includes('\\') ? (JSON.parse(`"${key}"`) as string) : key
  } catch {
    return key
  }
}

/** Longest comment of several lines, in characters. Without a limit, a text of `/*` would be searched again and again. */
const longestComment = 200

/** Skips white space and comments. A comment that never ends is not skipped. */
function skipBlank(text: string, from: number): number {
  for (let at = from; ; ) {
    if (/[ \n\t\r]/.test(text[at] ?? '')) at++
    else if (text.startsWith('//', at)) {
      const end = text.indexOf('\n', at)
      at = end < 0 ? text.length : end
    } else if (text.startsWith('/*', at)) {
      const end = text.slice(at + 2, at + longestComment).indexOf('*/')
      if (end < 0) return at
      at += end + 4
    } else return at
  }
}

/** Longest value that is repaired, in characters. */
const longestRepair = 200_000

/**
 * Parses a value that was scanned whole: as it stands, or else repaired. That adds nothing, since each value and each bracket stands in
 * the text. `faults` says what was repaired; undefined where that fails, too.
 */
export function parseValue(text: string, { start, end, edits, faults }: Scan) {
  let json = ''
  let from = start
  for (const { at, by } of edits) {
    json += text.slice(from, at) + by
    from = at + 1
  }
  json += text.slice(from, end)
  const whole = parseJson(json)
  if (whole) return { ...whole, faults: [...faults] }
  if (json.length > longestRepair) return undefined
  const repaired = parseJson(json, jsonrepair)
  return (
    repaired && { ...repaired, faults: faults.size > 0 ? [...faults] : ['a comma, line end or backslash'] }
  )
}

/** Parses a text of JSON, if it is one. */
export function parseJson(json: string, repair = (text: string) => text): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(repair(json)) }
  } catch {
    return undefined
  }
}

/** Scans a value, at first with the quotes as they stand, then, if it is data, without those within texts. */
export function findValue(text: string, start: number, isLenient: boolean): Scan {
  const scan = scanValue(text, start)
  if (!isLenient || scan.outcome === 'value' || !scan.isData) return scan
  const second = scanValue(text, start, true)
  return second.outcome === 'value' ? second : scan
}
