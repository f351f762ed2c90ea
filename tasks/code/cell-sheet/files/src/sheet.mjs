import { evaluate } from './evaluate.mjs'
import { parseFormula } from './formula.mjs'
import { formatRef, parseRef } from './refs.mjs'

/** Cells with numbers, texts and formulas. */
export function createSheet() {
  throw new Error('not implemented')
}
