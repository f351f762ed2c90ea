/** See docs/line.md. */
export function splitLine(text) {
  throw new Error('not written yet')
}
