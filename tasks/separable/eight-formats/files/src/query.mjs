/** See docs/query.md. */
export function parseQuery(text) {
  throw new Error('not written yet')
}
