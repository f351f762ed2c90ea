import type { Refusal } from '../refusal.ts'
import type { Interval } from './interval.ts'
import { meanInterval } from './mean-interval.ts'

/** Computes the geometric mean with the interval of a t test on logarithms (R: exp(t.test(log x))). Needs values above 0. */
export function geometricMean(
  values: readonly number[],
  confidence: number,
): Interval & { refusal: Refusal | null } {
  if (values.some((value) => value <= 0))
    return { estimate: null, lower: null, upper: null, refusal: 'not-positive' }
  const { estimate, lower, upper, refusal } = meanInterval(values.map(Math.log), confidence)
  return { estimate: exp(estimate), lower: exp(lower), upper: exp(upper), refusal }
}

function exp(value: number | null): number | null {
  return value === null ? null : Math.exp(value)
}
