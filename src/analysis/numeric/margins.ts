import { meanOf, standardError } from './moments.ts'
import { studentQuantile } from './student.ts'

/** How far the limits of a mean lie below and above it. */
interface Margins {
  below: number
  above: number
}

/** Gives the margins of the mean of two values or more that are not all the same. */
export type ComputeMargins = (values: readonly number[], confidence: number) => Margins

/** Student's t with n - 1 degrees of freedom: as far below as above. */
export const studentMargins: ComputeMargins = (values, confidence) => {
  const half = studentQuantile((1 + confidence) / 2, values.length - 1) * (standardError(values) as number)
  return { below: half, above: half }
}

/**
 * Student's t, and farther where the values are skewed: the outer of its limits and those of t after Hall's cubic
 * transformation, which removes skewness (Hall 1992, JRSS B 54:221), with the adjusted Fisher-Pearson skewness. A mean of
 * few skewed values, as costs are, is covered too seldom by t alone, on the side of the long tail.
 */
export const skewedMargins: ComputeMargins = (values, confidence) => {
  const n = values.length
  const student = studentMargins(values, confidence)
  const skewness = adjustedSkewness(values)
  if (Math.abs(skewness) < 1e-9) return student
  const spread = (standardError(values) as number) * Math.sqrt(n)
  const t = studentQuantile((1 + confidence) / 2, n - 1) / Math.sqrt(n)
  const untransformed = (x: number) =>
    (3 / skewness) * (Math.cbrt(1 + skewness * (x - skewness / (6 * n))) - 1)
  return {
    below: Math.max(student.below, spread * untransformed(t)),
    above: Math.max(student.above, -spread * untransformed(-t)),
  }
}

/** 0 of two values: they show no skewness. */
function adjustedSkewness(values: readonly number[]): number {
  const n = values.length
  if (n < 3) return 0
  const centre = meanOf(values)
  const moment = (power: number) => meanOf(values.map((value) => (value - centre) ** power))
  return (Math.sqrt(n * (n - 1)) / (n - 2)) * (moment(3) / moment(2) ** 1.5)
}
