import { adjustedSkewness, standardError } from './moments.ts'
import { studentQuantile } from './student.ts'

/** Distances of the limits of a mean below and above it. */
interface Margins {
  below: number
  above: number
}

/** Computes the margins of the mean of two or more values that are not all equal. */
export type ComputeMargins = (values: readonly number[], confidence: number) => Margins

/** Computes symmetric margins by Student's t with n - 1 degrees of freedom. */
export const studentMargins: ComputeMargins = (values, confidence) => {
  const half = studentQuantile((1 + confidence) / 2, values.length - 1) * (standardError(values) as number)
  return { below: half, above: half }
}

/**
 * Computes margins that are wider for skewed values: the larger of Student's t and of t after Hall's cubic transformation,
 * which removes skewness (Hall 1992, JRSS B 54:221), with the adjusted Fisher-Pearson skewness. With few skewed values, such
 * as costs, t alone covers the mean too rarely on the side of the long tail. Beyond the inflexion of the cubic, where its
 * inverse runs away, the margin stays at the inflexion.
 */
export const skewedMargins: ComputeMargins = (values, confidence) => {
  const n = values.length
  const student = studentMargins(values, confidence)
  const skewness = adjustedSkewness(values)
  if (Math.abs(skewness) < 1e-9) return student
  const spread = (standardError(values) as number) * Math.sqrt(n)
  const t = studentQuantile((1 + confidence) / 2, n - 1) / Math.sqrt(n)
  const untransformed = (x: number) =>
    (3 / skewness) * (Math.cbrt(Math.max(0, 1 + skewness * (x - skewness / (6 * n)))) - 1)
  return {
    below: Math.max(student.below, spread * untransformed(t)),
    above: Math.max(student.above, -spread * untransformed(-t)),
  }
}

/** Fewer values than this do not show how skewed they are. */
const fewValues = 6

/** Computes margins that are wider above only, as of the logarithm of a cost per success; of few values at half the tail. */
export const upwardMargins: ComputeMargins = (values, confidence) => ({
  below: studentMargins(values, confidence).below,
  above: skewedMargins(values, values.length < fewValues ? (1 + confidence) / 2 : confidence).above,
})
