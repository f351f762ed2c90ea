import { paretoFrontier } from './pareto-frontier.ts'

/**
 * Returns the share of replicates in which each method is on the frontier: a measure of stability, not a p-value. Replicates
 * are [replicate][method], with the same tasks for all methods.
 */
export function frontierMembership(
  success: readonly (readonly (number | null)[])[],
  cost: readonly (readonly (number | null)[])[],
): { membership: number[] } {
  const counts = (success[0] ?? []).map(() => 0)
  for (const [replicate, successes] of success.entries())
    for (const [method, on] of paretoFrontier(successes, cost[replicate] ?? []).onFrontier.entries())
      if (on) counts[method] = (counts[method] as number) + 1
  return { membership: counts.map((count) => count / success.length) }
}
