/** Rows of a CSV text, each an array of strings. */
export function parseCsv(text) {
  throw new Error('not implemented')
}
