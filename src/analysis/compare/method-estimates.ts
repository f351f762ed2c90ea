import { skewedMargins, upwardMargins } from '../numeric/margins.ts'
import { knownCostPerSuccess, pricedTasks } from '../ratios/known-price.ts'
import type { Clusters } from '../tasks/clusters.ts'
import {
  geometricMean,
  type MeanInterval,
  type TaskMeanInterval,
  taskMeanInterval,
} from '../tasks/mean-interval.ts'
import { shareRate, successRate } from '../tasks/success-rate.ts'
import { countTrials, largestTask, type TaskValue, taskMeans } from '../tasks/task-value.ts'
import { type PassRate, passAtK, passHatK, varianceComponents } from '../tasks/variance-components.ts'
import type { MethodEstimates, Outcome, PassRateInterval, Spent, SpentEstimate } from './comparison.ts'
import type { MethodTasks } from './rows.ts'

/** With fewer solved tasks than this the interval of the cost per success is rough. */
const fewSolved = 5

/** Estimates of one method alone: success, spending, reliability. */
export function methodEstimates(
  method: MethodTasks,
  tasks: readonly string[],
  {
    confidence,
    outcome,
    clusters = null,
  }: { confidence: number; outcome: Outcome; clusters?: Clusters | null },
): MethodEstimates {
  const { values } = method
  const run = method.run.filter((count) => count > 0)
  const spent = (of: Spent) => spentEstimate(tasks, values[of], { confidence, clusters })
  const graded = method.graded.filter((task) => task !== null)
  const priced = pricedTasks(graded)
  const solvedTasks = priced.filter(({ success }) => success > 0).length
  const largest = largestTask(
    tasks.filter((_, index) => method.graded[index]?.priced),
    priced.map(({ cost }) => cost),
  )
  return {
    label: method.label,
    method: method.method,
    agents: method.agents,
    set: method.set,
    nTasks: run.length,
    epochs: {
      min: run.reduce((a, b) => Math.min(a, b), run[0] ?? 0),
      max: run.reduce((a, b) => Math.max(a, b), 0),
    },
    trials: {
      run: run.reduce((sum, count) => sum + count, 0),
      graded: countTrials(values.success),
      missing: values.success.reduce((sum, { missing }) => sum + missing, 0),
    },
    success: successRate(values.success, confidence, clusters),
    score: scoreInterval(values.score, { confidence, clusters }),
    spent: { tokens: spent('tokens'), costUsd: spent('costUsd'), durationMs: spent('durationMs') },
    costPerSuccess: {
      ...knownCostPerSuccess(
        graded,
        confidence,
        upwardMargins,
        clusters?.filter((_, index) => method.graded[index] !== null) ?? null,
      ),
      nMissing: values.costUsd.reduce((sum, { missing }) => sum + missing, 0),
      nTasks: priced.length,
      solvedTasks,
      largest,
      rough: solvedTasks < fewSolved || largest !== null,
    },
    reliability: reliability(values.success, { confidence, clusters }),
    variance: varianceComponents(values[outcome]),
  }
}

/** How limits are made: their level, and the clusters of the tasks. */
interface LimitOptions {
  confidence: number
  clusters: Clusters | null
}

function spentEstimate(
  tasks: readonly string[],
  values: readonly TaskValue[],
  { confidence, clusters }: LimitOptions,
): SpentEstimate {
  const known = values.flatMap(({ mean }, index) =>
    mean === null ? [] : [{ mean, task: tasks[index] as string, cluster: clusters?.[index] ?? index }],
  )
  const groups = clusters && known.map(({ cluster }) => cluster)
  return {
    // Nothing spends less than 0.
    mean: clipLimits(taskMeanInterval(values, confidence, skewedMargins, clusters), Infinity),
    typical: geometricMean(taskMeans(values), confidence, groups),
    largest: largestTask(
      known.map(({ task }) => task),
      known.map((one) => one.mean),
    ),
  }
}

function reliability(
  tasks: readonly TaskValue[],
  { confidence, clusters }: LimitOptions,
): MethodEstimates['reliability'] {
  const known = tasks.flatMap((task, index) =>
    task.trials > 0 ? [{ ...task, cluster: clusters?.[index] ?? index }] : [],
  )
  const trials = known.map((task) => task.trials)
  const k = trials.reduce((least, count) => Math.min(least, count), trials[0] ?? 0)
  if (k < 2) return null
  const successes = known.map((task) => Math.round((task.mean as number) * task.trials))
  const groups = clusters && known.map(({ cluster }) => cluster)
  // Every task has k trials or more, so every task has a share.
  const interval = ({ perTask }: PassRate) =>
    shareInterval(
      perTask.map((share) => share as number),
      { confidence, clusters: groups },
    )
  return { k, some: interval(passAtK(trials, successes, k)), all: interval(passHatK(trials, successes, k)) }
}

/** Interval of the mean of shares of tasks. */
function shareInterval(shares: readonly number[], { confidence, clusters }: LimitOptions): PassRateInterval {
  // A share within rounding of 0 or 1 is one.
  const values = shares.map((share) =>
    Math.abs(share - Math.round(share)) < 1e-12 ? Math.round(share) : share,
  )
  const { refusal: _, ...rate } = shareRate(values, confidence, clusters)
  return rate
}

/** Interval of a mean score: as of a pass rate if every task is 0 or 1, else t widened for skewness, inside [0, 1]. */
function scoreInterval(
  tasks: readonly TaskValue[],
  { confidence, clusters }: LimitOptions,
): TaskMeanInterval {
  const interval = taskMeanInterval(tasks, confidence, skewedMargins, clusters)
  const means = taskMeans(tasks)
  if (interval.refusal !== null || means.some((mean) => mean !== 0 && mean !== 1))
    return clipLimits(interval, 1)
  const groups = clusters?.filter((_, index) => tasks[index]?.mean !== null) ?? null
  const { lower, upper } = shareInterval(means, { confidence, clusters: groups })
  return { ...interval, lower, upper }
}

function clipLimits<T extends Pick<MeanInterval, 'lower' | 'upper'>>(interval: T, most: number): T {
  const clip = (limit: number | null) => (limit === null ? null : Math.min(most, Math.max(0, limit)))
  return { ...interval, lower: clip(interval.lower), upper: clip(interval.upper) }
}
