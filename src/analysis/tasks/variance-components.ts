import { mean, meanOf } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { countTrials, type TaskValue } from './task-value.ts'

/** Mean over tasks of the chance to pass k trials, and that of each task; null if a task has fewer than k trials. */
export interface PassRate {
  estimate: number | null
  perTask: (number | null)[]
  refusal: Refusal | null
}

/** Chance that at least one of k trials passes: 1 - C(n-c, k) / C(n, k) for c successes in n, unbiased (Chen et al. 2021). */
export function passAtK(trials: readonly number[], successes: readonly number[], k: number): PassRate {
  return passRate(trials, k, (n, index) => 1 - shareWithout(n, n - (successes[index] as number), k))
}

/** Chance that all of k trials pass: C(c, k) / C(n, k) for c successes in n, unbiased (tau-bench, Yao et al. 2024). */
export function passHatK(trials: readonly number[], successes: readonly number[], k: number): PassRate {
  return passRate(trials, k, (n, index) => shareWithout(n, successes[index] as number, k))
}

function passRate(
  trials: readonly number[],
  k: number,
  rate: (n: number, index: number) => number,
): PassRate {
  const perTask = trials.map((n, index) => (n < k ? null : rate(n, index)))
  if (perTask.length === 0) return { estimate: null, perTask, refusal: 'no-task' }
  const known = perTask.filter((value) => value !== null)
  return known.length < perTask.length
    ? { estimate: null, perTask, refusal: 'too-few-trials' }
    : { estimate: mean(known), perTask, refusal: null }
}

// C(m, k) / C(n, k), factor by factor, because the binomials overflow.
function shareWithout(n: number, m: number, k: number): number {
  let share = 1
  for (let i = 0; i < k; i++) share *= Math.max(0, m - i) / (n - i)
  return share
}

/** Variance between tasks, and between epochs of one task. In the squared unit of the outcome. */
export interface VarianceComponents {
  between: number | null
  within: number | null
  /** Intraclass correlation: between / (between + within). */
  icc: number | null
  /** Factor by which dependent trials inflate the variance of their mean: 1 + (mean epochs - 1) icc. */
  designEffect: number | null
  refusal: Refusal | null
}

/** Computes a one-way analysis of variance by the method of moments, `between` cut at 0 (R: anova(lm(y ~ task)); lme4 when balanced). */
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
  // With equal values both sums are rounding error, which is small relative to the values.
  const floor = 1e-24 * known.reduce((most, task) => Math.max(most, (task.mean as number) ** 2), 0)
  // A difference of two equal sums is rounding error, too.
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

/** Returns the variance of epochs around their task mean, pooled over tasks; null if no task has two epochs. */
export function pooledWithinVariance(tasks: readonly TaskValue[]): number | null {
  const known = tasks.filter(({ trials }) => trials > 0)
  const df = countTrials(known) - known.length
  return df === 0 ? null : known.reduce((sum, { squares }) => sum + squares, 0) / df
}

function zeroBelow(variance: number, floor: number): number {
  return variance <= floor ? 0 : variance
}
