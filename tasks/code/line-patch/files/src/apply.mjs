import { PatchError } from './error.mjs'

/** The text with a patch applied. */
export function applyPatch(text, patch) {
  throw new Error('not implemented')
}

/** The patch that undoes a patch. */
export function reversePatch(patch) {
  throw new Error('not implemented')
}
