import { diffLines } from './diff.mjs'

/** A patch that turns one text into the other. */
export function createPatch(before, after, context = 3) {
  throw new Error('not implemented')
}
