import { meanOf } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import type { PricedTask } from './cost-per-success.ts'
import { noRatio, type Ratio } from './ratio.ts'
import { type ComputePriceError, linearisedError, type PricedPair } from './success-price-error.ts'

/**
 * Computes A's cost per success over B's on the same tasks, with a t interval on the logarithm of the ratio. Tasks without
 * either method (null) are dropped. Null if either has no success or no cost.
 */
export function costPerSuccessRatio(
  a: readonly (PricedTask | null)[],
  b: readonly (PricedTask | null)[],
  confidence: number,
  computeError: ComputePriceError = linearisedError,
): Ratio & { nTasks: number } {
  const pairs = a.flatMap((ours, index): PricedPair[] => {
    const theirs = b[index]
    return ours && theirs ? [{ ours, theirs }] : []
  })
  const nTasks = pairs.length
  if (nTasks < 2) return { ...noRatio(nTasks === 0 ? 'no-task' : 'one-task'), nTasks }
  const average = (value: (pair: PricedPair) => number) => meanOf(pairs.map(value))
  const costA = average(({ ours }) => ours.cost)
  const costB = average(({ theirs }) => theirs.cost)
  const successA = average(({ ours }) => ours.success)
  const successB = average(({ theirs }) => theirs.success)
  if (successA === 0 || successB === 0) return { ...noRatio('no-success'), nTasks }
  if (costB === 0) return { ...noRatio('zero-baseline'), nTasks }
  const ratio = costA / successA / (costB / successB)
  if (ratio === 0) return { ...noRatio('not-positive'), ratio, nTasks }
  const se = computeError(pairs)
  if (typeof se === 'string') return { ...noRatio(se), ratio, nTasks }
  if (se < 1e-12) return { ...noRatio('no-spread'), ratio, nTasks }
  const half = studentQuantile((1 + confidence) / 2, nTasks - 1) * se
  return { ratio, lower: ratio * Math.exp(-half), upper: ratio * Math.exp(half), refusal: null, nTasks }
}
