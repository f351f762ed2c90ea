import { meanOf } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { countTrials, type TaskValue } from './task-value.ts'

/** How much tasks differ from one another, and epochs of one task among themselves. Variances in the squared unit. */
export interface VarianceComponents {
  between: number | null
  within: number | null
  /** Intraclass correlation: between / (between + within). */
  icc: number | null
  /** By how much the trials' dependence inflates the variance of their mean: 1 + (mean epochs - 1) icc. */
  designEffect: number | null
  refusal: Refusal | null
}

/** One-way analysis of variance by the method of moments, `between` cut at 0 (R: anova(lm(y ~ task)); lme4 when balanced). */
export function varianceComponents(tasks: readonly TaskValue[]): VarianceComponents {
  const none = { between: null, within: null, icc: null, designEffect: null }
  const known = tasks.filter(({ trials }) => trials > 0)
  const trials = countTrials(known)
  if (known.length < 2) return { ...none, refusal: known.length === 0 ? 'no-task' : 'one-task' }
  const within = pooledWithinVariance(known)
  if (within === null) return { ...none, refusal: 'one-epoch' }
  const grand = known.reduce((sum, task) => sum + task.trials * (task.mean as number), 0) / trials
  const meanSquare =
    known.reduce((sum, task) => sum + task.trials * ((task.mean as number) - grand) ** 2, 0) /
    (known.length - 1)
  const sumOfSquares = known.reduce((sum, task) => sum + task.trials ** 2, 0)
  const size = (trials - sumOfSquares / trials) / (known.length - 1)
  // Equal values leave rounding in both sums; beside the values themselves it is no variance.
  const floor = 1e-24 * known.reduce((most, task) => Math.max(most, (task.mean as number) ** 2), 0)
  // The difference of two equal sums is rounding as well.
  const between = zeroBelow((meanSquare - within) / size, Math.max(floor, 1e-13 * within))
  const total = between + zeroBelow(within, floor)
  if (total === 0) return { ...none, between, within: 0, refusal: 'no-spread' }
  const icc = between / total
  return {
    between,
    within,
    icc,
    designEffect: 1 + (meanOf(known.map((task) => task.trials)) - 1) * icc,
    refusal: null,
  }
}

/** Variance of epochs around their task's mean, pooled over tasks; null where no task has two epochs. */
export function pooledWithinVariance(tasks: readonly TaskValue[]): number | null {
  const known = tasks.filter(({ trials }) => trials > 0)
  const df = countTrials(known) - known.length
  return df === 0 ? null : known.reduce((sum, { squares }) => sum + squares, 0) / df
}

function zeroBelow(variance: number, floor: number): number {
  return variance <= floor ? 0 : variance
}
