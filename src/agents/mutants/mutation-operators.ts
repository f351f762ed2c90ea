import { droppedCall, swappedArguments } from './mutation-calls.ts'
import { type Edit, endOf, type Site, startsLine, tokenAt } from './mutation-site.ts'
import { droppedStatement, returnValue } from './mutation-statements.ts'
import { closing, endsOperand, type SourceToken } from './source-tokens.ts'

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
