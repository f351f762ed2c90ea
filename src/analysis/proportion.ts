import { mean, sampleStandardDeviation } from 'simple-statistics'
import { betaQuantile } from './beta.ts'
import { normalQuantile, studentQuantile } from './quantiles.ts'

/** A share in [0, 1] with its limits; null where nothing can be said. */
export interface Interval {
  estimate: number | null
  lower: number | null
  upper: number | null
}

/** Wilson score interval of x successes in n independent tasks (Wilson 1927; R: prop.test without correction). */
export function wilsonInterval(successes: number, n: number, confidence: number): Interval {
  if (n === 0) return { estimate: null, lower: 0, upper: 1 }
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

/**
 * Interval of a success rate from task means: Clopper-Pearson at the effective number of trials (Korn and Graubard
 * 1998; R: survey::svyciprop(method = 'beta')). The effective number is at most `trials`, and the number of tasks
 * where the task means do not vary, so that 0% and 100% keep an honest width.
 */
export function clusteredProportion(
  taskMeans: readonly number[],
  trials: number,
  confidence: number,
): Interval & { effectiveN: number | null } {
  const tasks = taskMeans.length
  if (tasks === 0) return { estimate: null, effectiveN: null, lower: 0, upper: 1 }
  const estimate = mean(taskMeans as number[])
  const tail = (1 - confidence) / 2
  const variance = tasks > 1 ? sampleStandardDeviation(taskMeans as number[]) ** 2 / tasks : 0
  const effectiveN =
    variance < 1e-24
      ? tasks
      : Math.min(
          trials,
          ((estimate * (1 - estimate)) / variance) *
            (studentQuantile(tail, trials - 1) / studentQuantile(tail, tasks - 1)) ** 2,
        )
  const yes = effectiveN * estimate
  const no = effectiveN * (1 - estimate)
  return {
    estimate,
    effectiveN,
    lower: yes <= 0 ? 0 : Math.min(estimate, betaQuantile(tail, yes, no + 1)),
    upper: no <= 0 ? 1 : Math.max(estimate, betaQuantile(1 - tail, yes + 1, no)),
  }
}
