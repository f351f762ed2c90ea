/** Deadlines of entries, with a default time to live in ms. */
export function createExpiry(defaultTtl) {
  throw new Error('not implemented')
}
