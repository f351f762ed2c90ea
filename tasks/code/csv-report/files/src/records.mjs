/** Typed records of rows, and what was wrong with the other rows. */
export function toRecords(rows, types) {
  throw new Error('not implemented')
}
