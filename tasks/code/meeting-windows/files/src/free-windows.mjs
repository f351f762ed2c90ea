/** Free windows of a range between meetings, in the offset of the range's beginning. */
export function freeWindows(range, meetings) {
  throw new Error('not implemented')
}
