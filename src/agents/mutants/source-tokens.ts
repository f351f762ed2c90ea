/** The syntaxes of the mutation engine; TypeScript is read as JavaScript. */
export type Syntax = 'javascript' | 'python'

/** One token outside comments. `text` tokens are strings, templates and regular expressions, which are never parsed further. */
export interface SourceToken {
  kind: 'word' | 'number' | 'text' | 'operator'
  text: string
  start: number
  /** Counted from 1. */
  line: number
}

const operatorsOf: Record<Syntax, readonly string[]> = {
  javascript: (
    '>>>= ... === !== **= <<= >>= >>> &&= ||= ??= => == != <= >= && || ?? ?. ++ -- ' +
    '+= -= *= /= %= &= |= ^= << >> **'
  ).split(' '),
  python: '**= //= >>= <<= ... -> := == != <= >= ** // << >> += -= *= /= %= @= &= |= ^='.split(' '),
}

/** Words that do not end an operand: an expression starts after them. */
export const keywords: Record<Syntax, ReadonlySet<string>> = {
  javascript: new Set(
    (
      'return typeof case in of instanceof new delete void throw yield await else do import export default ' +
      'extends if for while switch function class const let var catch'
    ).split(' '),
  ),
  python: new Set(
    (
      'return and or not in is if elif else lambda yield import from as assert del raise while for def class ' +
      'with await async'
    ).split(' '),
  ),
}

const number = /0[xXbBoO][\da-fA-F_]+n?|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?[nj]?/y
const regex = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/y
const pythonString =
  /[rbuf]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/iy
const javascriptString = /"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/y

/** Returns the tokens of a source text without comments and white space. Never throws: unknown characters are operators. */
export function sourceTokens(source: string, syntax: Syntax): SourceToken[] {
  const word = /[\p{ID_Start}$_#@][\p{ID_Continue}$]*/uy
  const tokens: SourceToken[] = []
  let line = 1
  let at = 0
  const take = (kind: SourceToken['kind'], end: number) => {
    const text = source.slice(at, end)
    tokens.push({ kind, text, start: at, line })
    skip(end)
  }
  const skip = (end: number) => {
    for (let i = at; i < end; i++) if (source[i] === '\n') line++
    at = end
  }
  while (at < source.length) {
    const char = source[at] as string
    if (/\s/.test(char)) skip(at + 1)
    else if (syntax === 'python' && char === '#') skip(endOf(source, '\n', at))
    else if (syntax === 'python' && char === '\\') skip(at + 1)
    else if (syntax === 'javascript' && source.startsWith('//', at)) skip(endOf(source, '\n', at))
    else if (syntax === 'javascript' && source.startsWith('/*', at)) skip(endOf(source, '*/', at) + 2)
    else if (syntax === 'javascript' && char === '`') take('text', templateEnd(source, at))
    else {
      const string = match(syntax === 'python' ? pythonString : javascriptString, source, at)
      const isRegex = syntax === 'javascript' && char === '/' && !endsOperand(tokens.at(-1), syntax)
      const pattern = isRegex ? match(regex, source, at) : 0
      const digits = match(number, source, at)
      const letters = match(word, source, at)
      if (string) take('text', at + string)
      else if (pattern) take('text', at + pattern)
      else if (digits) take('number', at + digits)
      else if (letters) take('word', at + letters)
      else
        take('operator', at + (operatorsOf[syntax].find((text) => source.startsWith(text, at))?.length ?? 1))
    }
  }
  return tokens
}

/** Whether a token may end an operand, so that an operator after it is binary. */
export function endsOperand(token: SourceToken | undefined, syntax: Syntax): boolean {
  if (!token) return false
  if (token.kind === 'word') return !keywords[syntax].has(token.text)
  return token.kind !== 'operator' || token.text === ')' || token.text === ']' || token.text === '}'
}

/** Returns the index of the token that closes the bracket at `open`, or -1. */
export function closing(tokens: readonly SourceToken[], open: number): number {
  let depth = 0
  for (let i = open; i < tokens.length; i++) {
    const { kind, text } = tokens[i] as SourceToken
    if (kind !== 'operator') continue
    if (text === '(' || text === '[' || text === '{') depth++
    else if ((text === ')' || text === ']' || text === '}') && --depth === 0) return i
  }
  return -1
}

function match(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at
  return pattern.exec(source)?.[0].length ?? 0
}

function endOf(source: string, text: string, from: number): number {
  const end = source.indexOf(text, from)
  return end < 0 ? source.length : end
}

/** Returns the end of a template literal, including the expressions and templates in it. */
function templateEnd(source: string, start: number): number {
  let at = start + 1
  while (at < source.length) {
    if (source[at] === '\\') at += 2
    else if (source[at] === '`') return at + 1
    else if (source.startsWith('${', at)) at = substitutionEnd(source, at + 2)
    else at++
  }
  return source.length
}

function substitutionEnd(source: string, start: number): number {
  let at = start
  for (let depth = 1; at < source.length && depth > 0; ) {
    const string = match(javascriptString, source, at)
    if (string) at += string
    else if (source[at] === '`') at = templateEnd(source, at)
    else {
      if (source[at] === '{') depth++
      if (source[at] === '}') depth--
      at++
    }
  }
  return at
}
