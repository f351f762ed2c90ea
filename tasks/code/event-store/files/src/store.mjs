import { ConflictError } from './errors.mjs'

/** Streams of events, in memory. */
export function createStore() {
  throw new Error('not implemented')
}
