/**
 * Returns the median of numbers, in any order: the middle one, or the mean of the two in the middle. Null for an empty list. The list
 * that is given stays as it is.
 */
export function median(numbers) {
  if (numbers.length === 0) return null
  const sorted = [...numbers].sort()
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
