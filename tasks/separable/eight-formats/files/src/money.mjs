/** See docs/money.md. */
export function parseMoney(text) {
  throw new Error('not written yet')
}
