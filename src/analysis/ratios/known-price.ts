import type { ComputeMargins } from '../numeric/margins.ts'
import { mean } from '../numeric/moments.ts'
import type { Clusters } from '../tasks/clusters.ts'
import {
  type ComputePriceError,
  type CostPerSuccess,
  costPerSuccess,
  costPerSuccessRatio,
  type PricedTask,
  type PriceRatio,
  priceClusters,
} from './cost-per-success.ts'
import { noRatio } from './ratio.ts'

/** Sums over graded trials of one task. */
export interface GradedSums {
  trials: number
  cost: number
  success: number
}

/** The graded trials of one task. Some costs may be unknown, or known in part. */
export interface GradedTask {
  /** Means over the trials with a fully known cost; null: none. */
  priced: PricedTask | null
  /** Means over all graded trials, with the known part of their cost. */
  known: PricedTask
  /** Trials without a fully known cost. */
  dropped: number
}

/** Returns a task from the sums over all graded trials, and over those with a fully known cost; null without a graded trial. */
export function gradedTask(all: GradedSums, priced: GradedSums): GradedTask | null {
  if (all.trials === 0) return null
  return {
    priced: priced.trials === 0 ? null : meansOf(priced),
    known: meansOf(all),
    dropped: all.trials - priced.trials,
  }
}

/**
 * Computes the cost per success from the trials with a fully known cost. If the known costs of all graded trials give as
 * much per success, that is returned instead, as a lower bound: unknown costs can only add to it.
 */
export function knownCostPerSuccess(
  tasks: readonly GradedTask[],
  confidence: number,
  computeMargins: ComputeMargins,
  clusters: Clusters | null = null,
): CostPerSuccess {
  const bound = lowerBoundOf(tasks)
  if (bound === null) {
    const groups =
      clusters && tasks.flatMap(({ priced }, index) => (priced ? [clusters[index] as number] : []))
    return costPerSuccess(priceClusters(pricedTasks(tasks), groups), confidence, computeMargins)
  }
  const none = { lower: null, upper: null, refusal: 'unreported-cost' } as const
  // "At least 0" says nothing.
  return bound === 0
    ? { estimate: null, kind: 'not-estimable', ...none }
    : { estimate: bound, kind: 'at-least', ...none }
}

/** Computes A's cost per success over B's; no ratio if either is a lower bound on the tasks where both were graded. */
export function knownPriceRatio(
  a: readonly (GradedTask | null)[],
  b: readonly (GradedTask | null)[],
  confidence: number,
  computeError: ComputePriceError,
  clusters: Clusters | null = null,
): PriceRatio {
  const onBoth = (side: typeof a) => side.filter((task, index) => task !== null && a[index] && b[index])
  const isBound = (side: typeof a) => lowerBoundOf(onBoth(side) as GradedTask[]) !== null
  const pricesOf = (side: typeof a) => side.map((task) => task?.priced ?? null)
  const ratio = costPerSuccessRatio(pricesOf(a), pricesOf(b), confidence, computeError, clusters)
  return isBound(a) || isBound(b) ? { ...noRatio('unreported-cost'), nTasks: ratio.nTasks, p: null } : ratio
}

/** Returns the means of the tasks with a priced trial. */
export const pricedTasks = (tasks: readonly GradedTask[]): PricedTask[] =>
  tasks.flatMap(({ priced }) => (priced ? [priced] : []))

/** Returns the known cost per success of all graded trials if it is at least that of the priced ones, else null. */
function lowerBoundOf(tasks: readonly GradedTask[]): number | null {
  if (tasks.every(({ dropped }) => dropped === 0)) return null
  const bound = priceOf(tasks.map(({ known }) => known))
  if (bound === null) return null
  // Equal sums added in another order may differ in the last digit.
  return bound >= (1 - 1e-9) * (priceOf(pricedTasks(tasks)) ?? 0) ? bound : null
}

function priceOf(tasks: readonly PricedTask[]): number | null {
  const success = mean(tasks.map((task) => task.success))
  return success ? (mean(tasks.map((task) => task.cost)) as number) / success : null
}

const meansOf = ({ trials, cost, success }: GradedSums): PricedTask => ({
  cost: cost / trials,
  success: success / trials,
})
