import { studentQuantile, studentTail } from '../numeric/student.ts'
import type { Refusal } from '../refusal.ts'
import { meanInterval } from '../tasks/mean-interval.ts'

/** One-sided test that A is not worse than B by `margin` or more. */
interface NonInferiority {
  p: number | null
  /** One-sided lower limit of the mean difference at level 1 - alpha. */
  lower: number | null
  nonInferior: boolean
  refusal: Refusal | null
}

/** Two one-sided tests that the mean difference lies between two bounds. */
interface Equivalence {
  /** Against the lower and the upper bound; `p` is the greater. */
  pLower: number | null
  pUpper: number | null
  p: number | null
  /** Interval of the mean difference at level 1 - 2 alpha. */
  lower: number | null
  upper: number | null
  equivalent: boolean
  refusal: Refusal | null
}

/**
 * Makes the paired t test of non-inferiority of task differences A - B, where more is better. `margin` is above 0, in their
 * unit, and set before the run (R: t.test(mu = -margin, alternative = 'greater')).
 */
export function nonInferiorityPaired(
  values: readonly number[],
  margin: number,
  alpha: number,
): NonInferiority {
  const { estimate, se, df, refusal } = meanInterval(values, 1 - 2 * alpha)
  if (refusal !== null || estimate === null || se === null)
    return { p: null, lower: null, nonInferior: false, refusal }
  const p = studentTail((estimate + margin) / se, df)
  return { p, lower: estimate - studentQuantile(1 - alpha, df) * se, nonInferior: p < alpha, refusal }
}

/** Makes two one-sided paired t tests of task differences against `low` and `high`, set before the run (Schuirmann 1987). */
export function tostPaired(values: readonly number[], low: number, high: number, alpha: number): Equivalence {
  const { estimate, se, df, lower, upper, refusal } = meanInterval(values, 1 - 2 * alpha)
  if (refusal !== null || estimate === null || se === null)
    return { pLower: null, pUpper: null, p: null, lower, upper, equivalent: false, refusal }
  const pLower = studentTail((estimate - low) / se, df)
  const pUpper = studentTail((high - estimate) / se, df)
  const p = Math.max(pLower, pUpper)
  return { pLower, pUpper, p, lower, upper, equivalent: p < alpha, refusal }
}
