import { meanOf, variance } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'

/** Predicted sum of further values: the middle, and the 95% range. */
export interface PredictedSum {
  middle: number
  /** Null with fewer than two seen values. */
  range: { low: number; high: number } | null
}

/**
 * Predicts the sum of `count` further values from `seen` of the same kind, none below 0: the mean times `count`, with
 * the prediction interval of a normal sample, s * t(0.975) * sqrt(count + count^2 / m) (Hahn and Meeker 1991, 4.7).
 */
export function predictedSum(seen: readonly number[], count: number): PredictedSum {
  const middle = meanOf(seen) * count
  const spread = variance(seen)
  if (spread === null) return { middle, range: null }
  const error = Math.sqrt(spread * (count + count ** 2 / seen.length))
  const half = studentQuantile(0.975, seen.length - 1) * error
  return { middle, range: { low: Math.max(0, middle - half), high: middle + half } }
}
