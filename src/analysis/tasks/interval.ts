import { betaQuantile } from '../numeric/beta.ts'
import { mean, variance } from '../numeric/moments.ts'
import { normalQuantile } from '../numeric/normal.ts'
import { studentQuantile } from '../numeric/student.ts'
import { countTrials, type TaskValue, taskMeans } from './task-value.ts'

/** An estimate with its limits, in the unit of the values; null where there is none. */
export interface Interval {
  estimate: number | null
  lower: number | null
  upper: number | null
}

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

/**
 * Computes the interval of a success rate over tasks with several epochs: Clopper-Pearson at the effective number of trials
 * (Korn and Graubard 1998; R: survey::svyciprop(method = 'beta')). That number is at most the number of trials. If task
 * means do not vary it is the number of tasks, so that 0% and 100% keep a width. Of clusters `tasks` are the scaled sums.
 */
export function clusteredProportion(
  tasks: readonly TaskValue[],
  confidence: number,
  trials = countTrials(tasks),
): Interval & { effectiveN: number | null } {
  const means = taskMeans(tasks)
  const estimate = mean(means)
  if (estimate === null) return { estimate, effectiveN: null, lower: 0, upper: 1 }
  const tail = (1 - confidence) / 2
  const squaredError = (variance(means) ?? 0) / means.length
  const effectiveN =
    squaredError < 1e-24
      ? means.length
      : Math.min(
          trials,
          ((estimate * (1 - estimate)) / squaredError) *
            (studentQuantile(tail, trials - 1) / studentQuantile(tail, means.length - 1)) ** 2,
        )
  const { lower, upper } = clopperPearsonInterval(effectiveN * estimate, effectiveN, confidence)
  return {
    estimate,
    effectiveN,
    lower: Math.min(estimate, lower as number),
    upper: Math.max(estimate, upper as number),
  }
}
