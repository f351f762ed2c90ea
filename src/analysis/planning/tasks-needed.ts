import { meanOf, variance } from '../numeric/moments.ts'
import { studentQuantile } from '../numeric/student.ts'
import { chiSquaredQuantile } from '../numeric/tails.ts'
import { fewestTasks } from '../paired/difference-claim.ts'
import type { Refusal } from '../refusal.ts'
import { detectableEffect, leastSeparated, type PilotDifferences, tasksForClaim } from './claim-power.ts'
import { type DifferenceVariance, differenceVariance, pairedTSampleSize } from './paired-sample-size.ts'

/** Predicted sum of further values: the middle, and the 95% range. */
export interface PredictedSum {
  middle: number
  /** Null with fewer than two seen values. */
  range: { low: number; high: number } | null
}

/**
 * Predicts the sum of `count` further values from `seen` of the same kind, none below 0: the mean times `count`, with
 * the prediction interval of a normal sample, s * t(0.975) * sqrt(count + count^2 / m) (Hahn and Meeker 1991, 4.7).
 */
export function predictedSum(seen: readonly number[], count: number): PredictedSum {
  const middle = meanOf(seen) * count
  const spread = variance(seen)
  if (spread === null) return { middle, range: null }
  const error = Math.sqrt(spread * (count + count ** 2 / seen.length))
  const half = studentQuantile(0.975, seen.length - 1) * error
  return { middle, range: { low: Math.max(0, middle - half), high: middle + half } }
}

/** A planned test: the difference to find as a share, the level of one pair and the power. */
export interface PlannedTest {
  delta: number
  alpha: number
  power: number
}

const pilotConfidence = 0.8

/** Tasks for a planned test, from a pilot or a finished run; whole numbers. */
export interface TasksNeeded {
  /** With the epochs of the plan. */
  n: number
  /** The same at the 80% upper limit of the pilot's variance, which is itself an estimate; null with one pilot task. */
  nUpper: number | null
  /** The minimum with infinitely many epochs. */
  nEndlessEpochs: number
}

/**
 * Returns the tasks that a claim needs, from a pilot with `pilotTasks`. It is the inverse of `detectableDifference`. The
 * number must be fixed before the run.
 */
export function tasksNeeded(
  parts: DifferenceVariance,
  pilotTasks: number,
  { delta, alpha, power }: PlannedTest,
  shape: Omit<PilotDifferences, 'variance'> = { tied: false, size: 1 },
): TasksNeeded {
  const variance = differenceVariance(parts)
  const needed = (square: number) => tasksForClaim({ ...shape, variance: square }, delta, { alpha, power })
  const df = pilotTasks - 1
  const upper = df < 1 ? null : (variance * df) / chiSquaredQuantile(1 - pilotConfidence, df)
  // With endless epochs no two methods are tied on a task.
  const endless = parts.omega2 === 0 ? 0 : pairedTSampleSize(Math.sqrt(parts.omega2), delta, alpha, power).n
  return {
    n: needed(variance),
    nUpper: upper === null ? null : needed(upper),
    nEndlessEpochs: Math.max(leastSeparated(alpha), endless),
  }
}

/** Returns the epochs of every task, for both methods, that a planned test needs on `nTasks` tasks (Miller 2024); null if no number is enough. */
export function epochsNeeded(
  parts: DifferenceVariance,
  nTasks: number,
  { delta, alpha, power }: PlannedTest,
): { epochs: number | null; refusal: Refusal | null } {
  if (nTasks < fewestTasks) return { epochs: null, refusal: 'too-few-tasks' }
  if (nTasks < leastSeparated(alpha)) return { epochs: null, refusal: 'tasks-not-epochs' }
  const room = (delta / detectableEffect(nTasks, alpha, power)) ** 2 - parts.omega2
  if (room <= 0) return { epochs: null, refusal: 'tasks-not-epochs' }
  return { epochs: Math.max(1, Math.ceil((parts.sigma2A + parts.sigma2B) / room)), refusal: null }
}
