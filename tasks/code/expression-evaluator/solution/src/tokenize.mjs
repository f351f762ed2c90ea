import { ExpressionError } from './error.mjs'

const token = /\s*(?:(?<number>\d+(?:\.\d+)?)|(?<name>[A-Za-z_]\w*)|(?<symbol><=|>=|==|!=|[-+*/%^(),<>]))/y

/** Tokens of an expression; the last one is of kind `end`. */
export function tokenize(text) {
  const tokens = []
  const length = text.trimEnd().length
  let position = 0
  while (position < length) {
    token.lastIndex = position
    const match = token.exec(text)
    if (!match) throw new ExpressionError('unexpected character', text.slice(position).search(/\S/) + position)
    const [kind, found] = Object.entries(match.groups).find(([, value]) => value !== undefined)
    position = token.lastIndex
    tokens.push({ kind, text: found, position: position - found.length })
  }
  return [...tokens, { kind: 'end', text: '', position: text.length }]
}
