import { chiSquaredTail, coinDensity, coinTail } from '../numeric/tails.ts'

/** p-values of McNemar's test, two-sided. */
interface McnemarTest {
  /** Binomial test of the discordant tasks; conservative. */
  pExact: number
  /** With half the probability of the observed split (Fagerland, Lydersen and Laake 2013): the recommended one. */
  pMidP: number
  /** Chi-squared without continuity correction, and its p; null without a discordant task. */
  chi2: number | null
  pAsymptotic: number | null
}

/** Tests two methods with one trial per task: `b` tasks that only A solved against `c` that only B solved. */
export function mcnemarTest(b: number, c: number): McnemarTest {
  const n = b + c
  // With 0 of 0 the formula of the mid-p gives 0.5, but no observation is no evidence.
  if (n === 0) return { pExact: 1, pMidP: 1, chi2: null, pAsymptotic: null }
  const chi2 = (b - c) ** 2 / n
  return { pExact: exactP(b, c), pMidP: midP(b, c), chi2, pAsymptotic: chiSquaredTail(chi2, 1) }
}

function exactP(b: number, c: number): number {
  return Math.min(1, 2 * coinTail(Math.min(b, c), b + c))
}

function midP(b: number, c: number): number {
  if (b === c) return 1 - coinDensity(b, b + c) / 2
  return Math.min(1, 2 * coinTail(Math.min(b, c), b + c) - coinDensity(Math.min(b, c), b + c))
}
