import { readToken, type Token } from './value-tokens.ts'

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
