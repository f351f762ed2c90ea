import { betaQuantile, incompleteBeta } from './beta.ts'
import { normalTail } from './normal.ts'

/** Returns the share of Student's t with `df` degrees of freedom above t; by its relation to the beta distribution (DLMF 8.17.6). */
export function studentTail(t: number, df: number): number {
  const share = df / (df + t * t)
  const tail = incompleteBeta(share, df / 2, 0.5, (t * t) / (df + t * t)) / 2
  return t > 0 ? tail : 1 - tail
}

/** Returns the two-sided p of a t statistic. */
export function studentP(t: number, df: number): number {
  return Math.min(1, 2 * studentTail(Math.abs(t), df))
}

/** Returns the p-quantile of Student's t with `df` degrees of freedom, p in (0, 1). */
export function studentQuantile(p: number, df: number): number {
  const tail = 2 * Math.min(p, 1 - p)
  // Near the median df / (df + t^2) is almost 1, and only its complement keeps precision.
  if (tail > 0.5) {
    const share = betaQuantile(2 * Math.abs(p - 0.5), 0.5, df / 2)
    return Math.sign(p - 0.5) * Math.sqrt((df * share) / (1 - share))
  }
  const share = betaQuantile(tail, df / 2, 0.5)
  return Math.sign(p - 0.5) * Math.sqrt((df * (1 - share)) / share)
}

/**
 * Returns the share of noncentral t above `critical`, for `df` > 0 degrees of freedom: P(Z + shift > critical S), where S^2 is
 * chi-squared over df. Relative error about 1e-9. The integral over log S by the trapezoidal rule, which converges
 * exponentially for such integrands (Trefethen and Weideman 2014).
 */
export function noncentralTail(critical: number, df: number, shift: number): number {
  const steps = 2000
  // The density of log S falls as e^(df x) on the left, like a normal density if df is large, and faster on the right.
  const from = df > 100 ? -9 / Math.sqrt(df) : -40 / df - 0.5
  const to = 9 / Math.sqrt(df)
  const width = (to - from) / steps
  let weights = 0
  let sum = 0
  for (let step = 0; step <= steps; step++) {
    const x = from + step * width
    const weight = Math.exp(df * x - (df / 2) * Math.expm1(2 * x))
    weights += weight
    if (weight > 1e-20) sum += weight * normalTail(critical * Math.exp(x) - shift)
  }
  return sum / weights
}
