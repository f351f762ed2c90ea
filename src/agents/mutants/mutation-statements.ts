import { type Edit, endOf, type Site, startsLine, tokenAt } from './mutation-site.ts'
import { endsOperand, type SourceToken } from './source-tokens.ts'

/** Words that begin a line that cannot be dropped, since the source would not load or would parse differently. */
const kept = new Set(
  (
    'const let var function class import export if else for while do switch case default return try catch finally ' +
    'async def elif with except from global nonlocal pass type interface enum declare abstract public private ' +
    'protected readonly static get set constructor extends as'
  ).split(' '),
)

/** Turns `return a + b` into `return null`, if the expression ends on its line. */
export function returnValue(site: Site): Edit[] {
  const token = tokenAt(site) as SourceToken
  if (token.kind !== 'word' || token.text !== 'return') return []
  const rest = lineAfter(site)
  const last = rest.at(-1)
  const first = rest[0]
  const nothing = site.syntax === 'python' ? 'None' : 'null'
  if (!first || !last || !balanced(rest) || first.text === ';' || first.text === '}') return []
  if (rest.length <= 2 && ['None', 'null', 'undefined'].includes(first.text)) return []
  const semicolon = rest.findIndex(({ text }) => text === ';')
  const end = semicolon < 0 ? last : (rest[semicolon - 1] as SourceToken)
  const next = site.tokens[site.index + rest.length + 1]
  if (continues(next) || (semicolon < 0 && !endsOperand(last, site.syntax))) return []
  return [{ start: first.start, end: endOf(end), text: nothing }]
}

/** Drops a line that is a whole simple statement. */
export function droppedStatement(site: Site): Edit[] {
  const { tokens, index, syntax, enclosing } = site
  const token = tokenAt(site) as SourceToken
  if (token.kind !== 'word' || !startsLine(site) || kept.has(token.text) || /^[@#]/.test(token.text))
    return []
  const inside = enclosing[index] as string
  if (inside !== '' && (syntax === 'python' || inside !== '{')) return []
  const line = [token, ...lineAfter(site)]
  const last = line.at(-1) as SourceToken
  const next = tokens[index + line.length]
  if (!balanced(line) || continues(next) || !(last.text === ';' || endsOperand(last, syntax))) {
    if (last.text !== 'continue' && last.text !== 'break') return []
  }
  const before = tokenAt(site, -1)
  if (before && !endsOperand(before, syntax) && !';{}:'.includes(before.text)) return []
  // In JavaScript a colon before a line belongs to a case or an object; only a case can lose its statement.
  if (syntax === 'javascript' && (before?.text === ':' || line[1]?.text === ':' || line.length === 1)) {
    if (token.text !== 'break' && token.text !== 'continue') return []
  }
  if (syntax === 'python' && before && before.text !== ':' && before.line === token.line) return []
  return [{ start: token.start, end: endOf(last), text: syntax === 'python' ? 'pass' : ';' }]
}

function lineAfter({ tokens, index }: Site): SourceToken[] {
  const { line } = tokens[index] as SourceToken
  let end = index + 1
  while (tokens[end]?.line === line) end++
  return tokens.slice(index + 1, end)
}

function balanced(tokens: readonly SourceToken[]): boolean {
  let depth = 0
  for (const { kind, text } of tokens) {
    if (kind !== 'operator' && !(kind === 'text' && text.includes('\n'))) continue
    if (kind === 'text') return false
    if ('([{'.includes(text)) depth++
    if (')]}'.includes(text) && --depth < 0) return false
  }
  return depth === 0
}

const continues = (next: SourceToken | undefined) =>
  next?.kind === 'operator' && !['}', '{', '@', ')', ']', ';', '#', '!', '++', '--'].includes(next.text)
