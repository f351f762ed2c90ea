import { ExpressionError } from './error.mjs'
import { parse } from './parse.mjs'
import { tokenize } from './tokenize.mjs'

/** The value of an expression. */
export function evaluate(text, variables = {}) {
  throw new Error('not implemented')
}
