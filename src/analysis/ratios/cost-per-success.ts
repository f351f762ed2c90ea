import { type ComputeMargins, studentMargins } from '../numeric/margins.ts'
import { mean, meanOf, standardError } from '../numeric/moments.ts'
import { studentP, studentQuantile } from '../numeric/student.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterSums } from '../tasks/clusters.ts'
import { clopperPearsonInterval } from '../tasks/interval.ts'
import { meanInterval } from '../tasks/mean-interval.ts'
import { logRatioError, noRatio, type Ratio } from './ratio.ts'

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
 * margins of a mean over tasks, by default Student's t; the lower limit is at least that of the mean cost of a trial. Without a
 * success the lower limit is the mean cost over the exact upper limit of 0 in T tasks (Clopper-Pearson).
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
  const linear = tasks.map((task) => task.cost / cost - task.success / success)
  const { below, above } = computeMargins(linear, confidence)
  return {
    estimate,
    lower: Math.max(estimate * Math.exp(-below), trial.lower ?? cost),
    upper: estimate * Math.exp(above),
    kind: 'bounded',
    refusal: null,
  }
}

/** Sums costs and successes over the tasks of each cluster, scaled so that their means stay. */
export function priceClusters(tasks: readonly PricedTask[], clusters: Clusters | null): PricedTask[] {
  if (clusters === null) return [...tasks]
  const costs = clusterSums(
    tasks.map(({ cost }) => cost),
    clusters,
  )
  const successes = clusterSums(
    tasks.map(({ success }) => success),
    clusters,
  )
  return costs.map((cost, index) => ({ cost, success: successes[index] as number }))
}

interface PricedPair {
  ours: PricedTask
  theirs: PricedTask
}

/** Computes the standard error of the log ratio of two costs per success; a reason if the data do not determine it. */
export type ComputePriceError = (pairs: readonly PricedPair[]) => number | Refusal

/** Costs and successes of both sides, each as one number. */
const partsOf = (pairs: readonly PricedPair[], join: (values: readonly number[]) => number) => ({
  costA: join(pairs.map(({ ours }) => ours.cost)),
  costB: join(pairs.map(({ theirs }) => theirs.cost)),
  successA: join(pairs.map(({ ours }) => ours.success)),
  successB: join(pairs.map(({ theirs }) => theirs.success)),
})

/** Linearises the logarithm, task by task (delta method). */
const linearisedError: ComputePriceError = (pairs) => {
  const { costA, costB, successA, successB } = partsOf(pairs, meanOf)
  const linear = pairs.map(
    ({ ours, theirs }) =>
      ours.cost / costA - ours.success / successA - theirs.cost / costB + theirs.success / successB,
  )
  return standardError(linear) as number
}

/**
 * Leaves out one task after the other (jackknife, Tukey 1958). It is wider than the delta method if few tasks dominate, and
 * keeps its coverage there. No error if one task holds all successes, or all costs, of a method.
 */
export const jackknifeError: ComputePriceError = (pairs) => {
  const { costA, costB, successA, successB } = partsOf(pairs, (values) =>
    values.reduce((sum, one) => sum + one, 0),
  )
  // A sum without its only part is rounding error.
  const isHeld = (of: keyof PricedTask, allA: number, allB: number) =>
    pairs.some(({ ours, theirs }) => allA - ours[of] <= 1e-12 * allA || allB - theirs[of] <= 1e-12 * allB)
  if (isHeld('success', successA, successB)) return 'one-task-decides'
  if (isHeld('cost', costA, costB)) return 'one-task-costs'
  const logs = pairs.map(({ ours, theirs }) => {
    const [a, b] = [costA - ours.cost, costB - theirs.cost]
    return Math.log(a / (successA - ours.success) / (b / (successB - theirs.success)))
  })
  // (n - 1) / n times the sum of squares is the standard error of the mean, n - 1 times over.
  return (standardError(logs) as number) * (pairs.length - 1)
}

/** Ratio of two costs per success over `nTasks` tasks; `p` tests that it is 1, null without limits and below six tasks or clusters. */
export type PriceRatio = Ratio & { nTasks: number; p: number | null }

/**
 * Computes A's cost per success over B's on the same tasks, with a t interval on the logarithm of the ratio. Tasks without
 * either method (null) are dropped. Null if either has no success or no cost.
 */
export function costPerSuccessRatio(
  a: readonly (PricedTask | null)[],
  b: readonly (PricedTask | null)[],
  confidence: number,
  computeError: ComputePriceError = linearisedError,
  clusters: Clusters | null = null,
): PriceRatio {
  const known = a.flatMap((ours, index) => {
    const theirs = b[index]
    return ours && theirs ? [{ ours, theirs, cluster: clusters?.[index] ?? index }] : []
  })
  const groups = clusters && known.map(({ cluster }) => cluster)
  const [allOurs, allTheirs] = [known.map(({ ours }) => ours), known.map(({ theirs }) => theirs)]
  const sums = priceClusters(allTheirs, groups)
  const pairs = priceClusters(allOurs, groups).map(
    (ours, index): PricedPair => ({ ours, theirs: sums[index] as PricedTask }),
  )
  const nTasks = known.length
  const none = { nTasks, p: null }
  if (pairs.length < 2) return { ...noRatio(nTasks === 0 ? 'no-task' : 'one-task'), ...none }
  const { costA, costB, successA, successB } = partsOf(pairs, meanOf)
  if (successA === 0 || successB === 0) return { ...noRatio('no-success'), ...none }
  if (costB === 0) return { ...noRatio('zero-baseline'), ...none }
  const ratio = costA / successA / (costB / successB)
  if (ratio === 0) return { ...noRatio('not-positive'), ratio, ...none }
  const se = computeError(pairs)
  if (typeof se === 'string') return { ...noRatio(se), ratio, ...none }
  if (se < 1e-12) return { ...noRatio('no-spread'), ratio, ...none }
  const half = studentQuantile((1 + confidence) / 2, pairs.length - 1) * se
  const p = pairs.length < fewestTasks ? null : studentP(Math.log(ratio) / se, pairs.length - 1)
  return { ratio, lower: ratio * Math.exp(-half), upper: ratio * Math.exp(half), refusal: null, nTasks, p }
}
