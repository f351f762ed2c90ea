import { seededRandom } from '../../base/random.ts'
import { holmAdjust } from '../families/holm.ts'
import { mean, meanOf } from '../numeric/moments.ts'
import { randomFlipCount } from '../paired/sign-flip-test.ts'
import {
  jackknifeError,
  type PricedTask,
  type PriceRatio,
  priceClusters,
} from '../ratios/cost-per-success.ts'
import { type GradedTask, knownPriceRatio } from '../ratios/known-price.ts'
import { flipPValue, flippedMeans } from '../resampling/flipped-means.ts'
import type { Clusters } from '../tasks/clusters.ts'
import type { TaskValue } from '../tasks/task-value.ts'

/** What a success costs with A over what it costs with B, tested in a family of its own. */
export interface PriceClaim extends PriceRatio {
  a: string
  b: string
  /**
   * p that the ratio is 1; at least that with the missing trials counted against the cheaper method, and where t alone
   * would claim at least that of swaps, since t claims too often where few trials hold most of the cost. Null: no test.
   */
  p: number | null
  /** The same adjusted over all ratios that a report prints against the baseline, or over all pairs without one (Holm). */
  adjustedP: number | null
}

/** A method's graded trials by task, and its missing ones. */
interface PricedMethod {
  label: string
  method: string
  graded: readonly (GradedTask | null)[]
  values: { success: readonly TaskValue[] }
}

/** Two methods with the ratio of what a success costs with them; it has no p where nothing is tested. */
interface PricedPair {
  a: PricedMethod
  b: PricedMethod
  known: PriceRatio
}

interface PriceOptions {
  baseline: string | null
  confidence: number
  clusters: Clusters | null
}

/**
 * Tests the ratios of costs per success as one family: those of the pairs with the baseline if there are any, else all. The
 * test is t on the logarithm with the jackknife's error, and a test by swaps.
 */
export function pricePairs(pairs: readonly PricedPair[], options: PriceOptions): PriceClaim[] {
  const { baseline } = options
  const against = pairs.filter(({ a, b }) => (a.method === baseline) !== (b.method === baseline))
  const of = against.length > 0 ? against : pairs
  const ratios = of.map((pair) => ({
    ...{ ...pair.known, a: pair.a.label, b: pair.b.label },
    p: withMissing(pair, options),
  }))
  const byT = holmAdjust(ratios.map(({ p }) => p))
  const p = ratios.map((ratio, index) =>
    (byT[index] ?? 1) < 1 - options.confidence
      ? withSwaps(of[index] as PricedPair, ratio.p, options)
      : ratio.p,
  )
  const adjusted = holmAdjust(p)
  return ratios.map((ratio, index) => ({ ...ratio, p: p[index] ?? null, adjustedP: adjusted[index] ?? null }))
}

/**
 * Returns the greater of p and of the share of random patterns that swap the methods on some tasks, or clusters, and so make
 * their costs per success differ as much.
 */
function withSwaps({ a, b }: PricedPair, p: number | null, { clusters }: PriceOptions): number {
  const both = [...a.graded.keys()].filter((task) => a.graded[task]?.priced && b.graded[task]?.priced)
  const groups = clusters && both.map((task) => clusters[task] as number)
  const [ours, theirs] = [a, b].map(({ graded }) =>
    priceClusters(
      both.map((task) => graded[task]?.priced as PricedTask),
      groups,
    ),
  ) as [PricedTask[], PricedTask[]]
  const halves = (of: keyof PricedTask, sign: 1 | -1) =>
    Float64Array.from(ours, (task, index) => (task[of] + sign * (theirs[index] as PricedTask)[of]) / 2)
  const [cost, success] = [meanOf([...halves('cost', 1)]), meanOf([...halves('success', 1)])]
  const distance = (costs: number, successes: number) =>
    Math.log((cost + costs) / (cost - costs)) - Math.log((success + successes) / (success - successes))
  const differences = [halves('cost', -1), halves('success', -1)]
  const [costs, successes] = flippedMeans(differences, randomFlipCount, seededRandom('price swaps')) as [
    Float64Array,
    Float64Array,
  ]
  const swapped = costs.map((value, index) => distance(value, successes[index] as number))
  const observed = distance(...(differences.map((values) => meanOf([...values])) as [number, number]))
  return Math.max(p ?? 1, flipPValue(swapped, observed, 1e-9 * Math.abs(observed)))
}

/** Returns the greater of p and of p with the missing trials as failures of the cheaper method and successes of the other. */
function withMissing({ a, b, known }: PricedPair, { confidence, clusters }: PriceOptions): number | null {
  if (known.p === null || known.ratio === null) return null
  const missing = [a, b].some(({ values }) => values.success.some((task) => task.missing > 0))
  if (!missing) return known.p
  const isCheaper = known.ratio < 1
  const [ours, theirs] = [filled(a, isCheaper ? 0 : 1), filled(b, isCheaper ? 1 : 0)]
  const worst = knownPriceRatio(ours, theirs, confidence, jackknifeError, clusters)
  const isTurned = worst.ratio === null || worst.ratio < 1 !== isCheaper
  return isTurned ? 1 : Math.max(known.p, worst.p ?? 1)
}

/** Returns a method's tasks as if its missing trials had this success at the task's own mean cost, or at that of all its tasks. */
function filled({ graded, values }: PricedMethod, success: number): (GradedTask | null)[] {
  const cost = mean(graded.flatMap((task) => (task ? [task.known.cost] : [])))
  return graded.map((task, index) => {
    const { missing, trials } = values.success[index] as TaskValue
    if (missing === 0 || cost === null) return task
    const lost = { cost, success }
    if (task === null) return { known: lost, priced: lost, dropped: 0 }
    const fill = (known: { cost: number; success: number }) => ({
      cost: known.cost,
      success: (known.success * trials + success * missing) / (trials + missing),
    })
    return { ...task, known: fill(task.known), priced: task.priced && fill(task.priced) }
  })
}
