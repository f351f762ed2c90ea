/**
 * Moves overlapping labels apart as little as possible. Returns places in pixels, in the given order, at least `gap` apart and
 * inside `[low, high]` if all of them fit.
 */
export function spreadLabels(
  places: readonly number[],
  { gap, low, high }: { gap: number; low: number; high: number },
): number[] {
  const order = places
    .map((_, index) => index)
    .sort((a, b) => (places[a] as number) - (places[b] as number) || a - b)
  const spread = order.map((index) => Math.min(high, Math.max(low, places[index] as number)))
  for (let i = 1; i < spread.length; i++)
    spread[i] = Math.max(spread[i] as number, (spread[i - 1] as number) + gap)
  // Labels pushed beyond the end are pushed back.
  let most = high
  for (let i = spread.length - 1; i >= 0; i--) {
    spread[i] = Math.min(spread[i] as number, most)
    most = (spread[i] as number) - gap
  }
  const result = new Array<number>(places.length)
  order.forEach((index, i) => {
    result[index] = spread[i] as number
  })
  return result
}
