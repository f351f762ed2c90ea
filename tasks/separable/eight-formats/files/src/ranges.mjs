/** See docs/ranges.md. */
export function parseRanges(text) {
  throw new Error('not written yet')
}
