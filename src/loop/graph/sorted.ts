/** Returns the place at which a value keeps a sorted list sorted: behind its equals. */
export function placeFor<Entry, Value extends string | number>(
  sorted: readonly Entry[],
  value: Value,
  keyOf: (entry: Entry) => Value,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (keyOf(sorted[middle] as Entry) <= value) low = middle + 1
    else high = middle
  }
  return low
}
