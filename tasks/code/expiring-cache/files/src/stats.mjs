/** Counts what a cache does. */
export function createStats() {
  throw new Error('not implemented')
}
