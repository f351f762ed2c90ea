import { ConflictError } from './errors.mjs'

/** Loads and changes models that are kept as events. */
export function createRepository(store, model, { snapshotEvery }) {
  throw new Error('not implemented')
}
