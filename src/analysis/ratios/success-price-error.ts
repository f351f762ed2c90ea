import { meanOf, standardError } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import type { PricedTask } from './cost-per-success.ts'

/** The same task under both methods. */
export interface PricedPair {
  ours: PricedTask
  theirs: PricedTask
}

/** Computes the standard error of the log ratio of two costs per success; a reason if the data do not determine it. */
export type ComputePriceError = (pairs: readonly PricedPair[]) => number | Refusal

/** Linearises the logarithm, task by task (delta method). */
export const linearisedError: ComputePriceError = (pairs) => {
  const average = (value: (pair: PricedPair) => number) => meanOf(pairs.map(value))
  const costA = average(({ ours }) => ours.cost)
  const costB = average(({ theirs }) => theirs.cost)
  const successA = average(({ ours }) => ours.success)
  const successB = average(({ theirs }) => theirs.success)
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
  const sum = (value: (pair: PricedPair) => number) => pairs.reduce((total, pair) => total + value(pair), 0)
  const costA = sum(({ ours }) => ours.cost)
  const costB = sum(({ theirs }) => theirs.cost)
  const successA = sum(({ ours }) => ours.success)
  const successB = sum(({ theirs }) => theirs.success)
  const without = pairs.map(({ ours, theirs }) => [
    costA - ours.cost,
    successA - ours.success,
    costB - theirs.cost,
    successB - theirs.success,
  ])
  const all = [costA, successA, costB, successB]
  // A sum without its only part is rounding error.
  const isGone = (part: number, place: number) => part <= 1e-12 * (all[place] as number)
  const isHeld = (places: readonly number[]) =>
    without.some((sums) => places.some((place) => isGone(sums[place] as number, place)))
  if (isHeld([1, 3])) return 'one-task-decides'
  if (isHeld([0, 2])) return 'one-task-costs'
  const logs = without.map(([a = 0, wonA = 0, b = 0, wonB = 0]) => Math.log(a / wonA / (b / wonB)))
  // (n - 1) / n times the sum of squares is the standard error of the mean, n - 1 times over.
  return (standardError(logs) as number) * (pairs.length - 1)
}
