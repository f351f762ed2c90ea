import { seededRandom } from '../../base/random.ts'
import { meanOf } from '../numeric/moments.ts'
import { replicateMeans } from '../resampling/bootstrap.ts'
import { type Clusters, clusterSums, countUnits } from '../tasks/clusters.ts'
import type { Frontier, Outcome, Spent } from './comparison.ts'
import type { MethodTasks } from './rows.ts'

const noise = 1e-12

/**
 * Returns the Pareto frontier of an outcome against spending, over the tasks that all placed methods share. Membership of
 * each method comes from one bootstrap over these tasks, or over their clusters; it is null with fewer than two. A method without any task where
 * both are known is not placed.
 */
export function frontierOf(
  methods: readonly MethodTasks[],
  outcome: Outcome,
  spent: Spent,
  {
    clusters,
    resamples,
    seed,
    words,
  }: { clusters: Clusters | null; resamples: number; seed: string; words: boolean },
): Frontier {
  const isKnown = ({ values }: MethodTasks, task: number) =>
    [values[outcome][task], values[spent][task]].every((value) => value !== undefined && value.mean !== null)
  const places = (methods[0]?.run ?? []).map((_, task) => task)
  const placed = methods.filter((method) => places.some((task) => isKnown(method, task)))
  const tasks = places.filter((task) => placed.every((method) => isKnown(method, task)))
  const judged = places.filter((task) => placed.some(({ values }) => values[outcome][task]?.mean != null))
  const groups = clusters && tasks.map((task) => clusters[task] as number)
  const columns = (of: Outcome | Spent) =>
    placed.map(({ values }) => {
      const means = tasks.map((task) => values[of][task]?.mean as number)
      return Float64Array.from(clusterSums(means, groups))
    })
  const none = { success: null, spent: null, cheapest: false, onFrontier: null, membership: null, word: null }
  if (placed.length === 0 || tasks.length === 0)
    return { nTasks: 0, nDropped: judged.length, points: methods.map(({ label }) => ({ label, ...none })) }

  const [gains, costs] = [columns(outcome), columns(spent)]
  const success = gains.map((values) => meanOf([...values]))
  const cost = costs.map((values) => meanOf([...values]))
  const { onFrontier } = paretoFrontier(success, cost)
  const membership = countUnits(tasks, groups) < 2 ? null : membershipOf(gains, costs, resamples, seed)
  return {
    nTasks: tasks.length,
    nDropped: judged.length - tasks.length,
    points: methods.map((method) => {
      const at = placed.indexOf(method)
      if (at < 0) return { label: method.label, ...none }
      const share = membership?.[at] ?? null
      return {
        label: method.label,
        success: success[at] as number,
        spent: cost[at] as number,
        cheapest: cost.every((other) => (cost[at] as number) <= (1 + noise) * other),
        onFrontier: onFrontier[at] as boolean,
        membership: share,
        word: words && share !== null ? wordOf(share) : null,
      }
    }),
  }
}

function membershipOf(
  gains: readonly Float64Array[],
  costs: readonly Float64Array[],
  resamples: number,
  seed: string,
): number[] {
  const replicates = replicateMeans([...gains, ...costs], resamples, seededRandom(seed))
  const rows = (columns: readonly Float64Array[]) =>
    Array.from({ length: resamples }, (_, replicate) => columns.map((values) => values[replicate] as number))
  return frontierMembership(rows(replicates.slice(0, gains.length)), rows(replicates.slice(gains.length)))
    .membership
}

function wordOf(share: number): 'on' | 'off' | 'undecided' {
  return share >= 0.95 ? 'on' : share <= 0.05 ? 'off' : 'undecided'
}

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
