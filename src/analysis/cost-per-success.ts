import { mean, sampleStandardDeviation } from 'simple-statistics'
import { studentQuantile } from './quantiles.ts'

/** What one success costs, in the unit of the costs. */
export interface CostPerSuccess {
  /** Mean cost over mean success, all trials' cost counted; null where nothing succeeded. */
  estimate: number | null
  lower: number | null
  upper: number | null
  /** `zero-successes`: only `lower` exists. `not-estimable`: no interval (one task, no spread, nothing spent). */
  kind: 'bounded' | 'zero-successes' | 'not-estimable'
}

/**
 * Cost per success from task means, tasks weighing the same. Interval: delta method on the log of the ratio, t over
 * tasks. Without a success the lower limit is the mean cost over the exact upper limit of 0 of T tasks (Clopper-Pearson).
 */
export function costPerSuccess(
  tasks: readonly { cost: number; success: number }[],
  confidence: number,
): CostPerSuccess {
  const none = { estimate: null, lower: null, upper: null, kind: 'not-estimable' } as const
  if (tasks.length === 0) return none
  const cost = mean(tasks.map((task) => task.cost))
  const success = mean(tasks.map((task) => task.success))
  const tail = (1 - confidence) / 2
  if (success === 0) {
    return { ...none, lower: cost / (1 - tail ** (1 / tasks.length)), kind: 'zero-successes' }
  }
  const estimate = cost / success
  if (tasks.length === 1 || cost === 0) return { ...none, estimate }
  const spread = sampleStandardDeviation(tasks.map((task) => task.cost / cost - task.success / success))
  // Rounding leaves a trace of spread where there is none; an interval of no width would claim certainty.
  if (spread < 1e-12) return { ...none, estimate }
  const half = (studentQuantile(1 - tail, tasks.length - 1) * spread) / Math.sqrt(tasks.length)
  return { estimate, lower: estimate * Math.exp(-half), upper: estimate * Math.exp(half), kind: 'bounded' }
}
