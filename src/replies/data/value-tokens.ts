/** A token of JSON, or of what is nearly JSON. `end`: the text ends, also within the token; `bad`: no such token stands here. */
export interface Token {
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
export function readToken(text: string, from: number): Token {
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
