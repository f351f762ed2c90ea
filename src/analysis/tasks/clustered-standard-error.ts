import { mean, standardError } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'

/**
 * Mean over trials (each weighing the same) with its standard error when trials of one cluster (a task, a family of
 * tasks) go together: CR1 with the factor C / (C - 1) (Miller 2024; R: sandwich::vcovCL(type = 'HC1')). `seNaive`
 * takes the trials as independent, for comparison. `clusters` names each value's cluster.
 */
export function clusteredStandardError(
  values: readonly number[],
  clusters: readonly (string | number)[],
): {
  mean: number | null
  se: number | null
  seNaive: number | null
  nClusters: number
  refusal: Refusal | null
} {
  const centre = mean(values)
  const residuals = new Map<string | number, number>()
  for (const [index, value] of values.entries()) {
    const cluster = clusters[index] as string | number
    residuals.set(cluster, (residuals.get(cluster) ?? 0) + value - (centre as number))
  }
  const nClusters = residuals.size
  const rest = { mean: centre, seNaive: standardError(values), nClusters }
  if (nClusters < 2) return { ...rest, se: null, refusal: nClusters === 0 ? 'no-task' : 'one-task' }
  const squares = [...residuals.values()].reduce((sum, residual) => sum + residual ** 2, 0)
  const se = Math.sqrt((squares * nClusters) / (nClusters - 1)) / values.length
  return { ...rest, se, refusal: null }
}
