import { type ComputeMargins, studentMargins } from '../numeric/margins.ts'
import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { clopperPearsonInterval } from '../tasks/binomial-intervals.ts'
import { meanInterval } from '../tasks/mean-interval.ts'
import { logRatioError } from './log-ratio-interval.ts'

/** Means of one task over its trials with a known cost and a grade. */
export interface PricedTask {
  cost: number
  success: number
}

/** Cost of one success, in the unit of the costs. */
export interface CostPerSuccess {
  /** Mean cost of all trials over mean success; null without a success. A lower bound if kind is `at-least`. */
  estimate: number | null
  lower: number | null
  upper: number | null
  /**
   * `zero-successes`: only `lower` exists. `not-estimable`: no interval (one task, no spread, nothing spent). `at-least`: some
   * costs are unknown, and the known ones give a lower bound.
   */
  kind: 'bounded' | 'zero-successes' | 'not-estimable' | 'at-least'
  refusal: Refusal | null
}

/**
 * Computes the cost per success from task means with equal weights. Interval: delta method on the log of the ratio, with the
 * margins of a mean over tasks, by default Student's t; the lower limit is at least the cheapest task, and the lower limit of
 * the mean cost of a trial. Without a success the lower limit is the mean cost over the exact
 * upper limit of 0 in T tasks (Clopper-Pearson).
 */
export function costPerSuccess(
  tasks: readonly PricedTask[],
  confidence: number,
  computeMargins: ComputeMargins = studentMargins,
): CostPerSuccess {
  const none = { estimate: null, lower: null, upper: null, kind: 'not-estimable' } as const
  const costs = tasks.map((task) => task.cost)
  const successes = tasks.map((task) => task.success)
  const [cost, success] = [mean(costs), mean(successes)]
  if (cost === null || success === null) return { ...none, refusal: 'no-task' }
  if (success === 0) {
    const atMost = clopperPearsonInterval(0, tasks.length, confidence).upper as number
    return { ...none, lower: cost / atMost, kind: 'zero-successes', refusal: 'no-success' }
  }
  const estimate = cost / success
  if (cost === 0) return { ...none, estimate, refusal: 'not-positive' }
  const se = logRatioError(costs, successes)
  if (se === null) return { ...none, estimate, refusal: 'one-task' }
  if (se === 0) return { ...none, estimate, refusal: 'no-spread' }
  // A success takes a trial at least, so it costs no less than the mean trial, and that no less than its own limit.
  const trial = meanInterval(costs, confidence, computeMargins)
  const cheapest = costs.reduce((lowest, one) => Math.min(lowest, one), cost)
  const least = Math.max(trial.lower ?? 0, cheapest)
  const linear = tasks.map((task) => task.cost / cost - task.success / success)
  const { below, above } = computeMargins(linear, confidence)
  return {
    estimate,
    lower: Math.max(estimate * Math.exp(-below), least),
    upper: estimate * Math.exp(above),
    kind: 'bounded',
    refusal: null,
  }
}
