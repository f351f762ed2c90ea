/** Count and total per group. */
export function summarise(records, { by, sum }) {
  throw new Error('not implemented')
}
