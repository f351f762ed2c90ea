import { bisect, gammaln } from 'simple-statistics'
import { incompleteBeta } from './beta.ts'
import { upperGamma } from './normal.ts'

/** Returns the share of chi-squared with `df` degrees of freedom above x (DLMF 8.4). */
export function chiSquaredTail(x: number, df: number): number {
  return upperGamma(df / 2, x / 2)
}

/** Returns the p-quantile of chi-squared with `df` degrees of freedom, p in (0, 1); absolute error below 1e-9. */
export function chiSquaredQuantile(p: number, df: number): number {
  const tail = 1 - p
  let high = df + 1
  while (chiSquaredTail(high, df) > tail) high *= 2
  return bisect((x) => tail - chiSquaredTail(x, df), 0, high, 100, 1e-10)
}

/** Returns the share of F with `df1` and `df2` degrees of freedom above x; by its relation to the beta distribution. */
export function fTail(x: number, df1: number, df2: number): number {
  const all = df2 + df1 * x
  return incompleteBeta(df2 / all, df2 / 2, df1 / 2, (df1 * x) / all)
}

/** Returns the probability of exactly k heads in n tosses of a fair coin. */
export function coinDensity(k: number, n: number): number {
  return Math.exp(gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1) - n * Math.LN2)
}

/** Returns the probability of at most k heads in n tosses of a fair coin. */
export function coinTail(k: number, n: number): number {
  if (k < 0) return 0
  return k >= n ? 1 : incompleteBeta(0.5, n - k, k + 1)
}
