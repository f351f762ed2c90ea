/** Column and row, from 0, of a reference such as `B7`; null for anything else. */
export function parseRef(text) {
  throw new Error('not implemented')
}

/** The reference of a column and row. */
export function formatRef({ column, row }) {
  throw new Error('not implemented')
}

/** All references of the rectangle between two corners, row by row. */
export function expandRange(from, to) {
  throw new Error('not implemented')
}
