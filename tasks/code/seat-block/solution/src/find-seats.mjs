/** Index of the first seat that a group of `count` takes in `row`, or -1. */
export function findSeats(row, count) {
  if (!Number.isInteger(count) || count < 1) throw new RangeError('count must be a positive integer')
  let best = null
  let start = 0
  for (let i = 0; i <= row.length; i++) {
    if (row[i] === '.') continue
    const length = i - start
    if (length >= count && (best === null || length < best.length)) best = { start, length }
    start = i + 1
  }
  if (best === null) return -1
  const reachesRight = best.start + best.length === row.length
  if (reachesRight && best.start > 0) return row.length - count
  return best.start
}
