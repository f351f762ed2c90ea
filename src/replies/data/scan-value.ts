interface Scan {
  /** `value`: a whole value; `cut`: the text ends within one; `broken`: something else follows. */
  outcome: 'value' | 'cut' | 'broken'
  /** Where the value ends, or where it breaks. */
  end: number
  /** Start of the string before the end, if the last token is one: its quotes may be wrong. */
  lastString: number | undefined
  /** Whether it starts like data, as prose in brackets does not: with a key and a colon, or a value and a comma. */
  isData: boolean
  /** Number of brackets that are open at the end. */
  depth: number
}

/** What may follow: a value, a key, a colon, or a comma or closing bracket; `first` ones may be a closing bracket instead. */
type Expected = 'value' | 'key' | 'colon' | 'more'

/** Least number of tokens after which a value surely is data: `{`, a key and a colon, or `[`, a value and a comma. */
const tokensOfData = 3

/**
 * Scans the value that begins with the bracket at `start`. A comma before a closing bracket is allowed, as are the tokens of `readToken`.
 * `allows` gets each token that may stand where it stands, and whether it is a key. Where it returns false, the value breaks.
 */
export function scanValue(
  text: string,
  start: number,
  allows: (token: Token, isKey: boolean) => boolean = () => true,
): Scan {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = start
  let tokens = 0
  let lastString: number | undefined
  const ended = (outcome: Scan['outcome'], end: number): Scan => {
    const isData = tokens >= tokensOfData
    return { outcome, end, lastString, isData, depth: open.length }
  }
  for (;;) {
    const token = readToken(text, at)
    const { kind } = token
    if (kind === 'end') {
      if (token.start < token.end) lastString = token.start
      return ended('cut', text.length)
    }
    const next = follows(kind, expected, open.at(-1))
    if (!next || !allows(token, next === 'colon')) {
      if (kind === 'string') lastString = token.start
      return ended('broken', Math.max(token.start, start + 1))
    }
    tokens++
    lastString = kind === 'string' ? token.start : undefined
    if (kind === '{' || kind === '[') open.push(kind)
    if (kind === '}' || kind === ']') {
      open.pop()
      if (open.length === 0) return ended('value', token.end)
    }
    expected = next
    at = token.end
  }
}

/** Returns what may follow a token; undefined where the token may not stand. */
function follows(
  kind: Token['kind'],
  expected: Expected,
  inside: '{' | '[' | undefined,
): Expected | undefined {
  if (kind === '}') return inside === '{' && (expected === 'key' || expected === 'more') ? 'more' : undefined
  if (kind === ']')
    return inside === '[' && (expected === 'value' || expected === 'more') ? 'more' : undefined
  switch (expected) {
    case 'key':
      return kind === 'string' || kind === 'word' ? 'colon' : undefined
    case 'colon':
      return kind === ':' ? 'value' : undefined
    case 'more':
      return kind !== ',' ? undefined : inside === '{' ? 'key' : 'value'
    case 'value':
      if (kind === '{') return 'key'
      if (kind === '[') return 'value'
      return kind === 'string' || kind === 'scalar' ? 'more' : undefined
  }
}

/** A token of JSON, or of what is nearly JSON. `end`: the text ends, also within the token; `bad`: no such token stands here. */
interface Token {
  kind: '{' | '}' | '[' | ']' | ':' | ',' | 'string' | 'word' | 'scalar' | 'end' | 'bad'
  start: number
  end: number
}

const marks = new Set(['{', '}', '[', ']', ':', ','])
const numberOrWord = /-?\d[\w.+-]*|[A-Za-z_$][\w$-]*/y
const number = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const values = new Set(['true', 'false', 'null', 'True', 'False', 'None'])

/**
 * Reads the next token. Beside those of JSON it knows strings in single quotes, strings with raw line ends, bare words for keys, the
 * values of Python, and comments, which it skips.
 */
function readToken(text: string, from: number): Token {
  const start = skipBlank(text, from)
  const char = text[start]
  if (char === undefined) return { kind: 'end', start, end: start }
  if (marks.has(char)) return { kind: char as Token['kind'], start, end: start + 1 }
  if (char === '"' || char === "'") return readString(text, start, char)
  numberOrWord.lastIndex = start
  const [word] = numberOrWord.exec(text) ?? []
  if (word === undefined) return { kind: 'bad', start, end: start + 1 }
  const isScalar = number.test(word) || values.has(word)
  const isWord = /^[A-Za-z_$]/.test(word)
  return { kind: isScalar ? 'scalar' : isWord ? 'word' : 'bad', start, end: start + word.length }
}

function readString(text: string, start: number, quote: string): Token {
  for (let at = start + 1; at < text.length; at++) {
    const char = text[at]
    if (char === '\\') at++
    else if (char === quote) return { kind: 'string', start, end: at + 1 }
  }
  return { kind: 'end', start, end: text.length }
}

/** Longest comment of several lines, in characters. Without a limit, a text of `/*` would be searched again and again. */
const longestComment = 200

/** Skips white space and comments. A comment that never ends is not skipped. */
function skipBlank(text: string, from: number): number {
  let at = from
  for (;;) {
    const char = text[at]
    if (char === ' ' || char === '\n' || char === '\t' || char === '\r') at++
    else if (char === '/' && text[at + 1] === '/') at = endOf(text, '\n', at)
    else if (char === '/' && text[at + 1] === '*') {
      const end = text.slice(at + 2, at + longestComment).indexOf('*/')
      if (end < 0) return at
      at += end + 4
    } else return at
  }
}

function endOf(text: string, char: string, from: number): number {
  const end = text.indexOf(char, from)
  return end < 0 ? text.length : end
}

/** A value of strict JSON in a text. */
export interface StrictValue {
  value: unknown
  start: number
  end: number
  /** A key that an object in it has twice. */
  repeatedKey: string | undefined
}

/** What a string may hold that JSON does not: an escape that it does not know, or a raw control character such as a line end. */
const stringPart = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|\\|\p{Cc}/gu

/**
 * Reads the value that begins with the bracket at `start`, as strict JSON. Forgiven are a comma before a closing bracket, and in a string
 * raw line ends and needless backslashes: no text can change from a string to structure by them. Undefined where no such value stands.
 */
export function readStrictValue(text: string, start: number): StrictValue | undefined {
  const parts: string[] = []
  let at = start
  const { outcome, end } = scanValue(text, start, ({ kind, ...token }) => {
    const written = text.slice(token.start, token.end)
    const isOfJson = kind !== 'word' && !/^['TFN]/.test(written)
    const isBehindComment = text.slice(at, token.start).trim() !== ''
    if (!isOfJson || isBehindComment) return false
    at = token.end
    if ((kind === '}' || kind === ']') && parts.at(-1) === ',') parts.pop()
    parts.push(kind === 'string' ? written.replace(stringPart, strictPart) : written)
    return true
  })
  if (outcome !== 'value') return undefined
  const json = parts.join('')
  const parsed = parseStrictly(json)
  return parsed && { ...parsed, start, end, repeatedKey: findRepeatedKey(json) }
}

const strictPart = (part: string) =>
  part.length > 1 ? part : part === '\\' ? '' : JSON.stringify(part).slice(1, -1)

/** Parses strict JSON. */
export function parseStrictly(json: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(json) }
  } catch {
    return undefined
  }
}

/** Returns a key that an object of a strict JSON value has twice: then it is unclear which of the two is meant. */
export function findRepeatedKey(json: string): string | undefined {
  const open: Set<string>[] = []
  let repeated: string | undefined
  const start = json.search(/\S/)
  scanValue(json, start, ({ kind, ...token }, isKey) => {
    if (kind === '{' || kind === '[') open.push(new Set())
    if (kind === '}' || kind === ']') open.pop()
    if (!isKey) return true
    const key = JSON.parse(json.slice(token.start, token.end)) as string
    const keys = open.at(-1)
    if (keys?.has(key)) repeated = key
    keys?.add(key)
    return repeated === undefined
  })
  return repeated
}
