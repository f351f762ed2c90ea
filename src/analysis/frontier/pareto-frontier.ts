/**
 * Finds the methods that no other dominates: j dominates i if its success is at least as high, its cost at most as high, and
 * one of the two better. Exact ties stay. A method with an unknown success or cost (null) is not on the frontier.
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

interface Point {
  success: number | null
  cost: number | null
}

function dominates(a: Point, b: Point): boolean {
  if (a.success === null || a.cost === null || b.success === null || b.cost === null) return false
  const noWorse = a.success >= b.success && a.cost <= b.cost
  return noWorse && (a.success > b.success || a.cost < b.cost)
}
