import { ExpressionError } from './error.mjs'

/** Tokens of an expression; the last one is of kind `end`. */
export function tokenize(text) {
  throw new Error('not implemented')
}
