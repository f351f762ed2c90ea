/** See docs/colour.md. */
export function parseColour(text) {
  throw new Error('not written yet')
}
