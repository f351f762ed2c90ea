/** Returns ranks from 1; ties get their mean rank. */
export function midranks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] as number) - (values[b] as number))
  const ranks = new Array<number>(values.length)
  for (let from = 0; from < order.length; ) {
    let to = from
    while (to < order.length && values[order[to] as number] === values[order[from] as number]) to++
    for (let place = from; place < to; place++) ranks[order[place] as number] = (from + 1 + to) / 2
    from = to
  }
  return ranks
}

/** Returns the sum over groups of equal values of t^3 - t, where t is the size of the group; used by tie corrections. */
export function tieSum(values: readonly number[]): number {
  const sizes = new Map<number, number>()
  for (const value of values) sizes.set(value, (sizes.get(value) ?? 0) + 1)
  return [...sizes.values()].reduce((sum, size) => sum + size ** 3 - size, 0)
}

/**
 * Rounds differences to 1e-12, or to that share of the largest one if it is above 1. Floating-point noise of means of epochs
 * (1/3 + 1/3 - 2/3) would otherwise break ties and zeros.
 */
export function roundOffNoise(differences: readonly number[]): number[] {
  const grid = 1e12 / differences.reduce((most, value) => Math.max(most, Math.abs(value)), 1)
  return differences.map((value) => Math.round(value * grid) / grid || 0)
}
