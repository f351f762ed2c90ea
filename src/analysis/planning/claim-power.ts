import { betaQuantile } from '../numeric/beta.ts'
import { studentQuantile } from '../numeric/student.ts'
import { fewestTasks, fewTasks } from '../paired/difference-claim.ts'
import type { Refusal } from '../refusal.ts'
import { pairedTPower, pairedTSampleSize } from './paired-sample-size.ts'

interface PlannedLevel {
  alpha: number
  power: number
}

/** Task differences as a pilot shows them. */
export interface PilotDifferences {
  /** Their variance, with the planned epochs. */
  variance: number
  /** Most of them are 0, so a claim needs the exact test, too. */
  tied: boolean
  /** Mean size of those that are not 0. */
  size: number
}

const noise = 1e-5

/** Returns the separated tasks that the exact test needs at least, all in one direction: 6 at 5%. */
export function leastSeparated(alpha: number): number {
  return Math.floor(1 - Math.log2(alpha)) + 1
}

/** Whether a claim on `tasks` tasks needs the exact test beside the usual one. */
export function needsExactTest({ tied }: Pick<PilotDifferences, 'tied'>, tasks: number): boolean {
  return tied || tasks < fewTasks
}

/**
 * Returns the smallest mean difference that `tasks` tasks find by the rule of a claim: what the paired t test finds (R:
 * power.t.test(strict = TRUE)), and where a claim needs the exact test, too, at least the difference at which enough tasks
 * are separated, all of them in one direction. No difference below six tasks, and none above 1.
 */
export function detectableDifference(
  pilot: PilotDifferences,
  tasks: number,
  { alpha, power }: PlannedLevel,
): { mde: number | null; refusal: Refusal | null } {
  if (tasks < fewestTasks) return { mde: null, refusal: 'too-few-tasks' }
  const mde = Math.max(
    detectableEffect(tasks, alpha, power) * Math.sqrt(pilot.variance),
    separableDifference(pilot, tasks, { alpha, power }),
  )
  return mde > 1 ? { mde: null, refusal: 'beyond-range' } : { mde, refusal: null }
}

/** Returns the fewest tasks that find a mean difference of `delta` by the same rule. */
export function tasksForClaim(
  pilot: PilotDifferences,
  delta: number,
  { alpha, power }: PlannedLevel,
): number {
  const sd = Math.sqrt(pilot.variance)
  // Rounding must not ask for a task more than `detectableDifference` needs.
  const byT = sd === 0 ? 0 : Math.ceil(pairedTSampleSize(sd, delta, alpha, power).nExact - noise)
  const isEnough = (tasks: number) =>
    separableDifference(pilot, tasks, { alpha, power }) <= (1 + noise) * delta
  let high = Math.max(fewestTasks, byT)
  if (isEnough(high)) return high
  let low = high
  while (!isEnough(high)) high *= 2
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}

/** Returns the mean difference in standard deviations that a paired t test of `tasks` tasks finds with this power. */
export function detectableEffect(tasks: number, alpha: number, power: number): number {
  const known = effects.get(`${tasks}/${alpha}/${power}`)
  if (known !== undefined) return known
  const excess = (effect: number) => pairedTPower(effect, tasks, alpha) - power
  const df = tasks - 1
  // The noncentral t distribution is almost a shifted t, so the secant method needs few steps from there.
  const guess = studentQuantile(1 - alpha / 2, df) + studentQuantile(Math.max(0.5, power), df)
  let [before, effect] = [guess / Math.sqrt(tasks), (0.97 * guess) / Math.sqrt(tasks)]
  let [last, now] = [excess(before), excess(effect)]
  for (let step = 0; step < 20 && Math.abs(now) > 1e-9 && now !== last; step++) {
    const next = effect - (now * (effect - before)) / (now - last)
    ;[before, last, effect] = [effect, now, next]
    now = excess(effect)
  }
  effects.set(`${tasks}/${alpha}/${power}`, effect)
  return effect
}

/** Every pair of a comparison asks for the same effects, and each takes milliseconds. */
const effects = new Map<string, number>()

/** Returns the difference at which enough tasks are separated with this power; 0 where a claim does not need it, Infinity if there are too few. */
function separableDifference(pilot: PilotDifferences, tasks: number, { alpha, power }: PlannedLevel): number {
  if (!needsExactTest(pilot, tasks)) return 0
  const least = leastSeparated(alpha)
  if (tasks < least) return Infinity
  // The share of separated tasks at which a binomial count of them reaches the least number.
  return pilot.size * betaQuantile(power, least, tasks - least + 1)
}
