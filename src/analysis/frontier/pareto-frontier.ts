/**
 * Which methods nobody dominates: j dominates i if it succeeds at least as often for at most the cost, and is better in
 * one of the two. Exact ties stay. A method without a success or a cost (null) is not placed.
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
