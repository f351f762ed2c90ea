import { holmAdjust } from '../families/holm.ts'
import { mean } from '../numeric/moments.ts'
import { jackknifeError, type PriceRatio } from '../ratios/cost-per-success.ts'
import { type GradedTask, knownPriceRatio } from '../ratios/known-price.ts'
import type { Clusters } from '../tasks/clusters.ts'
import type { TaskValue } from '../tasks/task-value.ts'

/** What a success costs with A over what it costs with B, tested in a family of its own. */
export interface PriceClaim extends PriceRatio {
  a: string
  b: string
  /** p that the ratio is 1; at least that with the missing trials counted against the cheaper method. Null: no test. */
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
 * test is t on the logarithm with the jackknife's error.
 */
export function pricePairs(pairs: readonly PricedPair[], options: PriceOptions): PriceClaim[] {
  const { baseline } = options
  const against = pairs.filter(({ a, b }) => (a.method === baseline) !== (b.method === baseline))
  const ratios = (against.length > 0 ? against : pairs).map((pair) => ({
    ...{ ...pair.known, a: pair.a.label, b: pair.b.label },
    p: withMissing(pair, options),
  }))
  const adjusted = holmAdjust(ratios.map(({ p }) => p))
  return ratios.map((ratio, index) => ({ ...ratio, adjustedP: adjusted[index] ?? null }))
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
