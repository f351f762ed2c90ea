import { differences, differenceTest } from '../paired/task-difference.ts'
import { type Clusters, clusterSums } from '../tasks/clusters.ts'
import type { Interaction, Outcome } from './comparison.ts'
import type { MethodTasks } from './rows.ts'

/**
 * Computes the difference of differences for every pair of methods and every pair of sets of agents, by task, with a
 * paired t interval and no test. The baseline is always B; in its family it is in every pair.
 */
export function computeInteractions(
  rows: readonly MethodTasks[],
  {
    outcome,
    confidence,
    family,
    baseline,
    clusters,
  }: {
    outcome: Outcome
    confidence: number
    family: 'all-pairs' | 'baseline'
    baseline: string | null
    clusters: Clusters | null
  },
): Interaction[] {
  const methods = [...new Set(rows.map(({ method }) => method))]
  const sets = [...new Set(rows.flatMap(({ set }) => (set === null ? [] : [set])))]
  const rowOf = (method: string, set: string) =>
    rows.find((row) => row.method === method && row.set === set)?.values[outcome]
  const named = pairsOf(methods)
    .map(([a, b]) => (a === baseline ? ([b, a] as const) : ([a, b] as const)))
    .filter(([, b]) => family === 'all-pairs' || b === baseline)
  return named.flatMap(([a, b]) =>
    pairsOf(sets).flatMap(([first, second]) => {
      const four = [rowOf(a, first), rowOf(b, first), rowOf(a, second), rowOf(b, second)]
      if (four.includes(undefined)) return []
      const means = four.map((values = []) => values.map(({ mean }) => mean))
      const places = (means[0] ?? []).map((_, task) => task)
      const known = places.filter((task) => means.every((values) => (values[task] ?? null) !== null))
      const [aFirst = [], bFirst = [], aSecond = [], bSecond = []] = means.map((values) =>
        known.map((task) => values[task] as number),
      )
      const { estimate, lower, upper, se, refusal } = differenceTest(
        clusterSums(
          differences(differences(aFirst, bFirst), differences(aSecond, bSecond)),
          clusters && known.map((task) => clusters[task] as number),
        ),
        confidence,
      )
      const clip = (limit: number | null) => (limit === null ? null : Math.min(2, Math.max(-2, limit)))
      const limits = { lower: clip(lower), upper: clip(upper) }
      const counts = { nTasks: known.length, nDropped: places.length - known.length }
      return [{ a, b, first, second, estimate, ...limits, se, ...counts, refusal }]
    }),
  )
}

const pairsOf = (names: readonly string[]) =>
  names.flatMap((first, place) => names.slice(place + 1).map((second) => [first, second] as const))
