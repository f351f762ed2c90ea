/**
 * Finds the methods that no other dominates: j dominates i if its success is at least as high, its cost at most as high, and
 * one of the two better. Ties stay; numbers that
 * differ by rounding only are tied. A method with an unknown success or cost (null) is not on the frontier.
 */
export function paretoFrontier(
  success: readonly (number | null)[],
  cost: readonly (number | null)[],
): { onFrontier: boolean[] } {
  const points = success.map((value, index) => ({ success: value, cost: cost[index] ?? null }))
  return {
    onFrontier: points.map(
      (point) =>
        point.success !== null && point.cost !== null && !points.some((other) => dominates(other, point)),
    ),
  }
}

/** Rounding error of means, as a share of the larger one: means of epochs depend on their order. */
const noise = 1e-12

interface Point {
  success: number | null
  cost: number | null
}

function dominates(a: Point, b: Point): boolean {
  if (a.success === null || a.cost === null || b.success === null || b.cost === null) return false
  const [gain, saving] = [a.success - b.success, b.cost - a.cost]
  const [least, cheaper] = [noise * scale(a.success, b.success), noise * scale(a.cost, b.cost)]
  return gain >= -least && saving >= -cheaper && (gain > least || saving > cheaper)
}

function scale(one: number, other: number): number {
  return Math.max(Math.abs(one), Math.abs(other))
}
