/** Index of the first seat that a group of `count` takes in `row`, or -1. */
export function findSeats(row, count) {
  throw new Error('not implemented')
}
