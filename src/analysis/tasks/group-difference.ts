import { meanOf, variance } from '../numeric/moments.ts'
import { studentP, studentQuantile } from '../numeric/student.ts'
import type { Refusal } from '../refusal.ts'
import type { Interval } from './interval.ts'

/** Difference of two means of independent groups of tasks. */
interface GroupDifference extends Interval {
  se: number | null
  df: number | null
  p: number | null
  refusal: Refusal | null
}

/** A standard error up to this share of the values is rounding error. */
const noise = 1e-12

/**
 * Computes the mean of `higher` minus that of `lower`, two groups of tasks, with Welch's interval and test, which do not assume equal
 * variances (Welch 1947; R: t.test). No limits and no p where a group has fewer than two tasks or no group varies.
 */
export function groupDifference(
  lower: readonly number[],
  higher: readonly number[],
  confidence: number,
): GroupDifference {
  const none = { se: null, df: null, lower: null, upper: null, p: null }
  if (lower.length === 0 || higher.length === 0) return { estimate: null, ...none, refusal: 'no-task' }
  const estimate = meanOf(higher) - meanOf(lower)
  const parts = [lower, higher].map((values) => {
    const squares = variance(values)
    return squares === null ? null : { share: squares / values.length, df: values.length - 1 }
  })
  const [low, high] = parts
  if (!low || !high) return { estimate, ...none, refusal: 'one-task' }
  const scale = [...lower, ...higher].reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  const se = Math.sqrt(low.share + high.share)
  if (se <= noise * scale) return { estimate, ...none, se: 0, refusal: 'no-spread' }
  const df = (low.share + high.share) ** 2 / (low.share ** 2 / low.df + high.share ** 2 / high.df)
  const margin = studentQuantile(1 - (1 - confidence) / 2, df) * se
  return {
    ...{ estimate, se, df, refusal: null },
    lower: estimate - margin,
    upper: estimate + margin,
    p: studentP(estimate / se, df),
  }
}
