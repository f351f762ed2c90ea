import { betaQuantile } from '../numeric/beta.ts'
import { normalQuantile } from '../numeric/normal.ts'
import type { Interval } from './interval.ts'

const nothing: Interval = { estimate: null, lower: 0, upper: 1 }

/** Wilson score interval of x successes in n independent tasks (Wilson 1927; R: prop.test without correction). */
export function wilsonInterval(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return nothing
  const estimate = successes / n
  const z = normalQuantile((1 + confidence) / 2)
  const z2 = z * z
  const centre = (successes + z2 / 2) / (n + z2)
  const half = (z * Math.sqrt(n * estimate * (1 - estimate) + z2 / 4)) / (n + z2)
  return {
    estimate,
    lower: successes === 0 ? 0 : Math.max(0, centre - half),
    upper: successes === n ? 1 : Math.min(1, centre + half),
  }
}

/** Jeffreys interval of x successes in n independent tasks, its ends fixed at 0 and n (Brown, Cai and DasGupta 2001). */
export function jeffreysInterval(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return nothing
  const tail = (1 - confidence) / 2
  const [a, b] = [successes + 0.5, n - successes + 0.5]
  return {
    estimate: successes / n,
    lower: successes === 0 ? 0 : betaQuantile(tail, a, b),
    upper: successes === n ? 1 : betaQuantile(1 - tail, a, b),
  }
}

/** Exact interval of x successes in n independent tasks (Clopper and Pearson 1934; R: binom.test); both may be fractions. */
export function clopperPearsonInterval(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return nothing
  const tail = (1 - confidence) / 2
  const failures = n - successes
  return {
    estimate: successes / n,
    lower: successes <= 0 ? 0 : betaQuantile(tail, successes, failures + 1),
    upper: failures <= 0 ? 1 : betaQuantile(1 - tail, successes + 1, failures),
  }
}
