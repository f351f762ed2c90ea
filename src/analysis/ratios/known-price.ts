import type { ComputeMargins } from '../numeric/margins.ts'
import { mean } from '../numeric/moments.ts'
import { type CostPerSuccess, costPerSuccess, type PricedTask } from './cost-per-success.ts'
import { costPerSuccessRatio } from './cost-per-success-ratio.ts'
import { noRatio, type Ratio } from './ratio.ts'
import type { ComputePriceError } from './success-price-error.ts'

/** Sums over graded trials of one task. */
export interface GradedSums {
  trials: number
  cost: number
  success: number
}

/** The graded trials of one task, some of whose costs may not be known, or only in part. */
export interface GradedTask {
  /** Means over the trials whose costs are all known; null: there is none. */
  priced: PricedTask | null
  /** Means over all of them, the cost being what is known of it. */
  known: PricedTask
  /** Trials that are not priced. */
  dropped: number
}

/** A task from the sums over all its graded trials, and over those whose costs are all known; null without a graded one. */
export function gradedTask(all: GradedSums, priced: GradedSums): GradedTask | null {
  if (all.trials === 0) return null
  return {
    priced: priced.trials === 0 ? null : meansOf(priced),
    known: meansOf(all),
    dropped: all.trials - priced.trials,
  }
}

/**
 * Cost per success from the trials whose costs are all known, unless what all graded trials are known to have cost is as
 * much for each of their successes: then that stands in for it, as a lower bound, for what nobody told can only add to it.
 */
export function knownCostPerSuccess(
  tasks: readonly GradedTask[],
  confidence: number,
  computeMargins: ComputeMargins,
): CostPerSuccess {
  const bound = lowerBoundOf(tasks)
  if (bound === null) return costPerSuccess(pricedTasks(tasks), confidence, computeMargins)
  const none = { lower: null, upper: null, refusal: 'unreported-cost' } as const
  // "At least 0" says nothing.
  return bound === 0
    ? { estimate: null, kind: 'not-estimable', ...none }
    : { estimate: bound, kind: 'at-least', ...none }
}

/** A's cost per success over B's; none where either is a lower bound on the tasks that both were graded on. */
export function knownPriceRatio(
  a: readonly (GradedTask | null)[],
  b: readonly (GradedTask | null)[],
  confidence: number,
  computeError: ComputePriceError,
): Ratio & { nTasks: number } {
  const onBoth = (side: typeof a) => side.filter((task, index) => task !== null && a[index] && b[index])
  const isBound = (side: typeof a) => lowerBoundOf(onBoth(side) as GradedTask[]) !== null
  const pricesOf = (side: typeof a) => side.map((task) => task?.priced ?? null)
  const ratio = costPerSuccessRatio(pricesOf(a), pricesOf(b), confidence, computeError)
  return isBound(a) || isBound(b) ? { ...noRatio('unreported-cost'), nTasks: ratio.nTasks } : ratio
}

/** The tasks' means over their priced trials, of those that have any. */
export const pricedTasks = (tasks: readonly GradedTask[]): PricedTask[] =>
  tasks.flatMap(({ priced }) => (priced ? [priced] : []))

/** What all graded trials are known to cost for each of their successes, where the priced ones alone tell no more; else null. */
function lowerBoundOf(tasks: readonly GradedTask[]): number | null {
  if (tasks.every(({ dropped }) => dropped === 0)) return null
  const bound = priceOf(tasks.map(({ known }) => known))
  if (bound === null) return null
  // Equal sums that were added in another order may differ in their last digit.
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
