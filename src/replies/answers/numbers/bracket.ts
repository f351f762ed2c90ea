import { skipSpace, type Token, textAt } from './tokens.ts'
import { letterUnits } from './words.ts'

/** How many tokens of a bracket are looked at; a bound on the time that is spent on each number. */
const farthest = 60

/**
 * Returns the bracket behind a number that is multiplied by it, as in `3(x + 1)` and `3 [4 cos x - 1]`; undefined for a remark, such
 * as `(1 hour)`, a unit (`[m/s]`) or none.
 */
export function bracketBehind(tokens: readonly Token[], to: number): '(' | '[' | undefined {
  const at = skipSpace(tokens, to)
  const open = textAt(tokens, at)
  if (open !== '(' && open !== '[') return undefined
  const touches = at === to && open === '('
  if (touches && !/^\p{L}{2}/u.test(textAt(tokens, at + 1)) && !startsRemark(tokens, at + 1)) return open
  return isFactor(tokens, at) ? open : undefined
}

/** Whether what stands in a bracket right behind a number is a remark: a number with a word. */
const startsRemark = (tokens: readonly Token[], at: number) =>
  tokens[at]?.kind === 'number' && tokens[at + 1]?.kind === 'space' && tokens[at + 2]?.kind === 'word'

/** Whether a bracket holds a calculation: an operator, a function, or a variable beside something else; and no words. */
function isFactor(tokens: readonly Token[], open: number): boolean {
  const inside = insideOf(tokens, open)
  // `(= 6 · 7)`, `(n = 3)` and `(approx. 3 + 4)` say how the number came about.
  if (inside.some((token) => /^[=≈~]$/.test(token.text) || isPlainWord(token))) return false
  return (
    inside.some(({ text }) => /^[+–·×-]$/.test(text) || isFunction(text)) ||
    (inside.length > 1 && inside.some(({ text }) => /^\p{L}$/u.test(text) && !letterUnits.has(text)))
  )
}

function insideOf(tokens: readonly Token[], open: number): readonly Token[] {
  let depth = 1
  for (let at = open + 1; at < Math.min(tokens.length, open + farthest); at++) {
    const { text } = tokens[at] as Token
    if (/^[([]$/.test(text)) depth++
    if (/^[)\]]$/.test(text) && --depth === 0) return tokens.slice(open + 1, at)
  }
  return tokens.slice(open + 1, open + farthest)
}

const isFunction = (text: string) => text.startsWith('\\') || /^(?:sin|cos|tan|log|ln|exp|sqrt)$/.test(text)

const isPlainWord = ({ kind, text }: Token) => kind === 'word' && /^\p{L}{3}/u.test(text) && !isFunction(text)
