import { ExpressionError } from './error.mjs'

/** A tree of the tokens. */
export function parse(tokens) {
  throw new Error('not implemented')
}
