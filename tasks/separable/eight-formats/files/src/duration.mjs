/** See docs/duration.md. */
export function parseDuration(text) {
  throw new Error('not written yet')
}
