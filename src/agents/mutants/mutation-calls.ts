import { type Edit, endOf, type Site, tokenAt } from './mutation-site.ts'
import { closing, keywords, type SourceToken } from './source-tokens.ts'

/** Turns `f(a, b)` into `f(b, a)`. */
export function swappedArguments(site: Site): Edit[] {
  const [first, second] = callArguments(site)
  if (!first?.length || !second?.length) return []
  const text = (part: readonly SourceToken[]) => site.source.slice(startOf(part), endOfPart(part))
  const middle = site.source.slice(endOfPart(first), startOf(second))
  if (text(first) === text(second)) return []
  return [{ start: startOf(first), end: endOfPart(second), text: `${text(second)}${middle}${text(first)}` }]
}

/** Turns `f(a)` into `(a)`. */
export function droppedCall(site: Site): Edit[] {
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
