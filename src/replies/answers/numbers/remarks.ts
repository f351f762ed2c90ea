import { namesBaseBehind } from './base.ts'
import type { FoundNumber } from './complete-number.ts'
import { type Token, textAt } from './tokens.ts'
import { magnitudes, operators, signWords } from './words.ts'

/** A bracket behind a number that says more about it: `60 minutes (1 hour)`. From its opening to behind its closing mark. */
interface Remark {
  from: number
  to: number
}

/** Returns the remarks of a text: brackets behind a space and behind the first number, with a word in them, or `=` before the rest. */
export function findRemarks(tokens: readonly Token[], first: FoundNumber): Remark[] {
  const remarks: Remark[] = []
  let open: number | undefined
  let depth = 0
  for (let at = first.to; at < tokens.length; at++) {
    const { text } = tokens[at] as Token
    if (text === '(' || text === '[') {
      if (depth++ === 0) open = at
    } else if ((text === ')' || text === ']') && --depth === 0 && open !== undefined) {
      if (isRemark(tokens, open, at)) remarks.push({ from: open, to: at + 1 })
      open = undefined
    }
    if (depth < 0) return remarks
  }
  return remarks
}

function isRemark(tokens: readonly Token[], open: number, close: number): boolean {
  const next = textAt(tokens, close + 1).trim() || textAt(tokens, close + 2)
  if (tokens[open - 1]?.kind !== 'space' || next === '=' || operators.has(next)) return false
  const inside = tokens.slice(open + 1, close)
  const isMath = inside.some(({ kind, text }) => kind === 'power' || /^(?:\\.*|[b-zB-Z√π])$/u.test(text))
  const isSaid = inside.some(
    ({ kind, text }) => (kind === 'word' && /^\p{L}{2}/u.test(text)) || /^[≈~]$/.test(text),
  )
  return !isMath && (isSaid || textAt(tokens, open + 1) === '=')
}

/** Returns the words of a remark, in lower case; a number is ''. */
const wordsOf = (inside: readonly Token[]) =>
  inside
    .filter(({ kind }) => kind === 'word' || kind === 'number')
    .map(({ kind, text }) => (kind === 'number' ? '' : text.toLowerCase()))

/** Returns why a remark leaves the number in doubt: it names another (`or 43`), or changes it (`in thousands`, `base 2`). */
export function doubtIn(tokens: readonly Token[], { from, to }: Remark): string | undefined {
  const inside = tokens.slice(from + 1, to - 1)
  const shown = inside.map(({ text }) => text).join('')
  const words = inside.filter(({ kind }) => kind === 'word').map(({ text }) => text.toLowerCase())
  const named = inside.some(({ kind }) => kind === 'number')
  const other = /^(?:or|maybe|perhaps|possibly|alternatively|either|and|plus|minus)$/.test(words[0] ?? '')
  const scaled = !named && words.some((word) => magnitudes.has(word) || signWords.has(word))
  const inBase = inside[0]?.kind === 'word' && namesBaseBehind(wordsOf(inside))
  return other || scaled || inBase ? `is in doubt by its remark ${JSON.stringify(shown)}` : undefined
}
