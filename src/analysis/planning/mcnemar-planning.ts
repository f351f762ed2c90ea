import { gammaln } from 'simple-statistics'
import { normalQuantile } from '../numeric/normal.ts'
import { mcnemarTest } from '../paired/mcnemar-test.ts'
import type { Refusal } from '../refusal.ts'

/**
 * Returns the tasks needed for McNemar's test with one trial each, two-sided (Connor 1987), if a share `p10` of tasks is
 * solved by A only and `p01` by B only. Null if the two are equal.
 */
export function mcnemarSampleSize(
  p10: number,
  p01: number,
  alpha: number,
  power: number,
): { n: number | null; nExact: number | null; refusal: Refusal | null } {
  const discordant = p10 + p01
  const difference = p10 - p01
  if (difference === 0) return { n: null, nExact: null, refusal: 'same-rates' }
  const root =
    normalQuantile(1 - alpha / 2) * Math.sqrt(discordant) +
    normalQuantile(power) * Math.sqrt(discordant - difference ** 2)
  const nExact = (root / difference) ** 2
  return { n: Math.ceil(nExact), nExact, refusal: null }
}

/** Tasks that McNemar's test needs, and what it finds with them. */
export interface McnemarPlan {
  n: number
  /** Power of the mid-p test by enumeration; null above `mostEnumerated` tasks, where it takes seconds. */
  power: number | null
}

/** Power is enumerated up to this number of tasks. */
const mostEnumerated = 400

/**
 * Returns the tasks that McNemar's test needs to find a difference of `delta`, if the methods differ on a share `discordant`
 * of the tasks, as a pilot estimates. The share is at least `delta`.
 */
export function mcnemarPlan(
  discordant: number,
  { delta, alpha, power }: { delta: number; alpha: number; power: number },
): McnemarPlan {
  const share = Math.max(discordant, delta)
  const [p10, p01] = [(share + delta) / 2, (share - delta) / 2]
  const n = mcnemarSampleSize(p10, p01, alpha, power).n as number
  return { n, power: n > mostEnumerated ? null : mcnemarPower(p10, p01, n, alpha).powerMidP }
}

/** Computes the power of McNemar's mid-p and exact tests with `n` tasks, by enumerating every outcome; n^2 steps. */
export function mcnemarPower(
  p10: number,
  p01: number,
  n: number,
  alpha: number,
): { powerMidP: number; powerExact: number } {
  let powerMidP = 0
  let powerExact = 0
  for (let b = 0; b <= n; b++) {
    for (let c = 0; b + c <= n; c++) {
      const { pExact, pMidP } = mcnemarTest(b, c)
      const weight = trinomial(b, c, n, p10, p01)
      if (pMidP <= alpha * (1 + 1e-12)) powerMidP += weight
      if (pExact <= alpha * (1 + 1e-12)) powerExact += weight
    }
  }
  return { powerMidP, powerExact }
}

function trinomial(b: number, c: number, n: number, p10: number, p01: number): number {
  const rest = n - b - c
  const ways = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
  return Math.exp(ways + times(b, p10) + times(c, p01) + times(rest, 1 - p10 - p01))
}

// x log p, with 0 log 0 = 0.
function times(x: number, p: number): number {
  return x === 0 ? 0 : x * Math.log(p)
}
