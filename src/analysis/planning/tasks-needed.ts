import { chiSquaredQuantile } from '../numeric/tails.ts'
import type { Refusal } from '../refusal.ts'
import { type DifferenceVariance, differenceVariance, pairedSampleSize } from './paired-sample-size.ts'
import { pairedTSampleSize } from './paired-t-sample-size.ts'
import { powerZ } from './power-z.ts'

/** A planned test: the mean difference to find, the two-sided level and the power. */
interface PlannedTest {
  delta: number
  alpha: number
  power: number
}

/** Confidence of the upper limit of a pilot's variance. */
const pilotConfidence = 0.8

/** Tasks for a planned test, from a pilot or a finished run; whole numbers. */
interface TasksNeeded {
  /** With the epochs of the plan. */
  n: number
  /** The same at the 80% upper limit of the pilot's variance, which is itself an estimate; null with one pilot task. */
  nUpper: number | null
  /** The minimum with infinitely many epochs. */
  nEndlessEpochs: number
}

/** Returns the tasks that a paired t test needs, from a pilot with `pilotTasks`. The number must be fixed before the run. */
export function tasksNeeded(
  parts: DifferenceVariance,
  pilotTasks: number,
  { delta, alpha, power }: PlannedTest,
): TasksNeeded {
  const variance = differenceVariance(parts)
  const needed = (square: number) => pairedTSampleSize(Math.sqrt(square), delta, alpha, power).n
  const df = pilotTasks - 1
  const upper = df < 1 ? null : (variance * df) / chiSquaredQuantile(1 - pilotConfidence, df)
  const endless = { ...parts, epochsA: Infinity, epochsB: Infinity }
  return {
    n: variance === 0 ? 2 : needed(variance),
    nUpper: upper === null ? null : upper === 0 ? 2 : needed(upper),
    nEndlessEpochs: Math.max(2, pairedSampleSize(endless, delta, alpha, power).n),
  }
}

/** Returns the epochs of every task, for both methods, that a planned test needs on `nTasks` tasks (Miller 2024); null if no number is enough. */
export function epochsNeeded(
  parts: DifferenceVariance,
  nTasks: number,
  { delta, alpha, power }: PlannedTest,
): { epochs: number | null; refusal: Refusal | null } {
  const room = nTasks * (delta / powerZ(alpha, power)) ** 2 - parts.omega2
  if (room <= 0) return { epochs: null, refusal: 'tasks-not-epochs' }
  return { epochs: Math.max(1, Math.ceil((parts.sigma2A + parts.sigma2B) / room)), refusal: null }
}
