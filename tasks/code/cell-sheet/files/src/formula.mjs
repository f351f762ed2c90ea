import { expandRange, parseRef } from './refs.mjs'

/** Tree and references of a formula; null if it is none. */
export function parseFormula(text) {
  throw new Error('not implemented')
}
