/** See docs/roman.md. */
export function fromRoman(text) {
  throw new Error('not written yet')
}
