import { type ComputeMargins, studentMargins } from '../numeric/margins.ts'
import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { clopperPearsonInterval } from '../tasks/binomial-intervals.ts'
import { logRatioError } from './log-ratio-interval.ts'

/** Means of one task over its trials with both a known cost and a grade. */
export interface PricedTask {
  cost: number
  success: number
}

/** What one success costs, in the unit of the costs. */
export interface CostPerSuccess {
  /** Mean cost over mean success, all trials' cost counted; null where nothing succeeded. Of kind `at-least` a lower bound. */
  estimate: number | null
  lower: number | null
  upper: number | null
  /**
   * `zero-successes`: only `lower` exists. `not-estimable`: no interval (one task, no spread, nothing spent). `at-least`: costs
   * are unknown in part, and what is known of them comes to that much already.
   */
  kind: 'bounded' | 'zero-successes' | 'not-estimable' | 'at-least'
  refusal: Refusal | null
}

/**
 * Cost per success from task means, tasks weighing the same. Interval: delta method on the log of the ratio, with the
 * margins of a mean over tasks, Student's t by default. Without a success the lower limit is the mean cost over the exact upper limit of 0 of T tasks (Clopper-Pearson).
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
  const linear = tasks.map((task) => task.cost / cost - task.success / success)
  const { below, above } = computeMargins(linear, confidence)
  return {
    estimate,
    lower: estimate * Math.exp(-below),
    upper: estimate * Math.exp(above),
    kind: 'bounded',
    refusal: null,
  }
}
