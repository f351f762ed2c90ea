import { type Edit, endOf, type Site, startsLine, tokenAt } from './mutation-site.ts'
import { droppedStatement, returnValue } from './mutation-statements.ts'
import { closing, endsOperand, keywords, type SourceToken } from './source-tokens.ts'

/** Turns `f(a, b)` into `f(b, a)`. */
function swappedArguments(site: Site): Edit[] {
  const [first, second] = callArguments(site)
  if (!first?.length || !second?.length) return []
  const text = (part: readonly SourceToken[]) => site.source.slice(startOf(part), endOfPart(part))
  const middle = site.source.slice(endOfPart(first), startOf(second))
  if (text(first) === text(second)) return []
  return [{ start: startOf(first), end: endOfPart(second), text: `${text(second)}${middle}${text(first)}` }]
}

/** Turns `f(a)` into `(a)`. */
function droppedCall(site: Site): Edit[] {
  const parts = callArguments(site)
  if (parts.length !== 1 || !parts[0]?.length || tokenAt(site, -1)?.text === '.') return []
  const { start, text } = tokenAt(site) as SourceToken
  return [{ start, end: start + text.length, text: '' }]
}

const startOf = (part: readonly SourceToken[]) => (part[0] as SourceToken).start
const endOfPart = (part: readonly SourceToken[]) => endOf(part.at(-1) as SourceToken)

/** Returns the arguments of the call at the site; none if it is not a call, or if they cannot be reordered. */
function callArguments(site: Site): SourceToken[][] {
  const { syntax, tokens, index } = site
  const token = tokenAt(site) as SourceToken
  if (token.kind !== 'word' || keywords[syntax].has(token.text) || tokenAt(site, 1)?.text !== '(') return []
  if (
    ['function', 'def', 'class', 'new', '@'].includes(tokenAt(site, -1)?.text ?? '') ||
    /^[@#]/.test(token.text)
  )
    return []
  const close = closing(tokens, index + 1)
  if (close < 0 || ['{', '=>'].includes(tokens[close + 1]?.text ?? '')) return []
  // A method of an interface, a return type or the end of a lambda is not a call.
  if (tokens[close + 1]?.text === ':' && syntax === 'javascript') return []
  const parts = commaParts(tokens, index + 2, close)
  const fixed = parts.flat().some(({ text }) => ['=', '*', '**', '...', 'lambda', 'for'].includes(text))
  return fixed ? [] : parts
}

function commaParts(tokens: readonly SourceToken[], from: number, to: number): SourceToken[][] {
  const parts: SourceToken[][] = [[]]
  let depth = 0
  for (let i = from; i < to; i++) {
    const token = tokens[i] as SourceToken
    if (token.kind === 'operator') {
      if ('([{'.includes(token.text)) depth++
      if (')]}'.includes(token.text)) depth--
      if (token.text === ',' && depth === 0) {
        parts.push([])
        continue
      }
    }
    parts.at(-1)?.push(token)
  }
  return parts
}

type Operator = (site: Site) => Edit[]

const comparisons: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '==': '!=',
  '!=': '==',
  '===': '!==',
  '!==': '===',
}
const arithmetic: Readonly<Record<string, string>> = {
  '+': '-',
  '-': '+',
  '*': '+',
  '/': '*',
  '//': '*',
  '%': '*',
  '**': '*',
  '+=': '-=',
  '-=': '+=',
  '*=': '+=',
}
const logic: Readonly<Record<string, string>> = {
  '&&': '||',
  '||': '&&',
  and: 'or',
  or: 'and',
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
}
/** The mutation operators by name. Each returns its edits at one token; none edits strings or comments. */
export const operators: Readonly<Record<string, Operator>> = {
  // Spaces distinguish comparisons from type arguments.
  comparison: (site) => (spaced(site) ? swapped(site, comparisons) : []),
  arithmetic: (site) =>
    endsOperand(site.tokens[site.index - 1], site.syntax) ? swapped(site, arithmetic) : [],
  logic: (site) => swapped(site, logic),
  negation,
  'off by one': (site) => integer(site, (value) => (value > 0 ? [value + 1, value - 1] : [value + 1])),
  constant: (site) => integer(site, (value) => (value > 1 ? [0, value * 2] : [])),
  'return value': returnValue,
  'dropped statement': droppedStatement,
  'swapped arguments': swappedArguments,
  'dropped call': droppedCall,
}

function spaced(site: Site): boolean {
  const token = tokenAt(site) as SourceToken
  return /\s/.test(site.source[token.start - 1] ?? '') && /\s/.test(site.source[endOf(token)] ?? '')
}

function swapped(site: Site, table: Readonly<Record<string, string>>): Edit[] {
  const token = tokenAt(site) as SourceToken
  if (token.kind === 'text' || tokenAt(site, -1)?.text === '.' || !Object.hasOwn(table, token.text)) return []
  return [{ start: token.start, end: endOf(token), text: table[token.text] as string }]
}

function integer(site: Site, values: (value: number) => number[]): Edit[] {
  const token = tokenAt(site) as SourceToken
  if (token.kind !== 'number' || !/^\d{1,15}$/.test(token.text)) return []
  return values(Number(token.text)).map((value) => ({
    start: token.start,
    end: endOf(token),
    text: String(value),
  }))
}

/** Turns `if (a)` into `if (!(a))` and `!a` into `a`; likewise in Python. */
function negation(site: Site): Edit[] {
  const { tokens, index, syntax } = site
  const token = tokenAt(site) as SourceToken
  const next = tokenAt(site, 1)
  if (!next) return []
  if (syntax === 'javascript') {
    if (
      token.kind === 'operator' &&
      token.text === '!' &&
      next.text !== '!' &&
      tokenAt(site, -1)?.text !== '!'
    ) {
      // A TypeScript assertion `a!` follows an operand and has no effect.
      return endsOperand(tokenAt(site, -1), syntax)
        ? []
        : [{ start: token.start, end: endOf(token), text: '' }]
    }
    if (token.kind !== 'word' || token.text !== 'if' || next.text !== '(') return []
    const close = tokens[closing(tokens, index + 1)]
    if (!close) return []
    return [wrapped(site, endOf(next), close.start, '!(')]
  }
  if (token.kind !== 'word') return []
  if (token.text === 'not' && next.text !== 'in' && tokenAt(site, -1)?.text !== 'is') {
    return [{ start: token.start, end: next.start, text: '' }]
  }
  if ((token.text !== 'if' && token.text !== 'elif') || !startsLine(site)) return []
  const colon = endOfCondition(tokens, index + 1)
  return colon
    ? [wrapped(site, next.start, colon.start, next.start === endOf(token) ? ' not (' : 'not (')]
    : []
}

const wrapped = ({ source }: Site, start: number, end: number, open: string): Edit => ({
  start,
  end,
  text: `${open}${source.slice(start, end)})`,
})

function endOfCondition(tokens: readonly SourceToken[], from: number): SourceToken | undefined {
  for (let i = from; i < tokens.length; i++) {
    const token = tokens[i] as SourceToken
    if (token.kind !== 'operator') continue
    if (token.text === ':') return token
    if ('([{'.includes(token.text)) {
      const close = closing(tokens, i)
      if (close < 0) return undefined
      i = close
    }
  }
  return undefined
}
