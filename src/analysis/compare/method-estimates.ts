import { skewedMargins, upwardMargins } from '../numeric/margins.ts'
import { knownCostPerSuccess, pricedTasks } from '../ratios/known-price.ts'
import { clusteredProportion, wilsonInterval } from '../tasks/interval.ts'
import {
  geometricMean,
  type MeanInterval,
  type TaskMeanInterval,
  taskMeanInterval,
} from '../tasks/mean-interval.ts'
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
  { confidence, outcome }: { confidence: number; outcome: Outcome },
): MethodEstimates {
  const { values } = method
  const run = method.run.filter((count) => count > 0)
  const spent = (of: Spent) => spentEstimate(tasks, values[of], confidence)
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
    success: successRate(values.success, confidence),
    score: scoreInterval(values.score, confidence),
    spent: { tokens: spent('tokens'), costUsd: spent('costUsd'), durationMs: spent('durationMs') },
    costPerSuccess: {
      ...knownCostPerSuccess(graded, confidence, upwardMargins),
      nMissing: values.costUsd.reduce((sum, { missing }) => sum + missing, 0),
      nTasks: priced.length,
      solvedTasks,
      largest,
      rough: solvedTasks < fewSolved || largest !== null,
    },
    reliability: reliability(values.success, confidence),
    variance: varianceComponents(values[outcome]),
  }
}

/** Success rate with Wilson's interval for single trials, else Korn and Graubard's; no interval for a single task. */
export function successRate(tasks: readonly TaskValue[], confidence: number): MethodEstimates['success'] {
  const means = taskMeans(tasks)
  if (means.length < 2) {
    const refusal = means.length === 0 ? ('no-task' as const) : ('one-task' as const)
    return { estimate: means[0] ?? null, lower: null, upper: null, interval: null, refusal }
  }
  if (countTrials(tasks) === means.length) {
    const passed = means.reduce((sum, value) => sum + value, 0)
    return { ...wilsonInterval(passed, means.length, confidence), interval: 'wilson', refusal: null }
  }
  const { estimate, lower, upper } = clusteredProportion(tasks, confidence)
  return { estimate, lower, upper, interval: 'korn-graubard', refusal: null }
}

function spentEstimate(
  tasks: readonly string[],
  values: readonly TaskValue[],
  confidence: number,
): SpentEstimate {
  const known = values.flatMap(({ mean }, index) =>
    mean === null ? [] : [{ mean, task: tasks[index] as string }],
  )
  return {
    // Nothing spends less than 0.
    mean: clipLimits(taskMeanInterval(values, confidence, skewedMargins), Infinity),
    typical: geometricMean(taskMeans(values), confidence),
    largest: largestTask(
      known.map(({ task }) => task),
      known.map((one) => one.mean),
    ),
  }
}

function reliability(tasks: readonly TaskValue[], confidence: number): MethodEstimates['reliability'] {
  const known = tasks.filter(({ trials }) => trials > 0)
  const trials = known.map((task) => task.trials)
  const k = trials.reduce((least, count) => Math.min(least, count), trials[0] ?? 0)
  if (k < 2) return null
  const successes = known.map((task) => Math.round((task.mean as number) * task.trials))
  const interval = ({ perTask }: PassRate) =>
    shareInterval(
      perTask.filter((share) => share !== null),
      confidence,
    )
  return { k, some: interval(passAtK(trials, successes, k)), all: interval(passHatK(trials, successes, k)) }
}

/** Interval of the mean of shares of tasks: Wilson if each is 0 or 1, else Korn and Graubard's; no limits for a single task. */
function shareInterval(shares: readonly number[], confidence: number): PassRateInterval {
  // A share within rounding of 0 or 1 is one.
  const values = shares.map((share) =>
    Math.abs(share - Math.round(share)) < 1e-12 ? Math.round(share) : share,
  )
  if (values.length < 2) return { estimate: values[0] ?? null, lower: null, upper: null, interval: null }
  const sum = values.reduce((total, value) => total + value, 0)
  if (values.every((value) => value === 0 || value === 1))
    return { ...wilsonInterval(sum, values.length, confidence), interval: 'wilson' }
  const { estimate, lower, upper } = clusteredProportion(
    values.map((mean) => ({ mean, trials: 1, missing: 0, squares: 0 })),
    confidence,
  )
  return { estimate, lower, upper, interval: 'korn-graubard' }
}

/** Interval of a mean score: as of a pass rate if every task is 0 or 1, else t widened for skewness, inside [0, 1]. */
function scoreInterval(tasks: readonly TaskValue[], confidence: number): TaskMeanInterval {
  const interval = taskMeanInterval(tasks, confidence, skewedMargins)
  const means = taskMeans(tasks)
  if (interval.refusal !== null || means.some((mean) => mean !== 0 && mean !== 1))
    return clipLimits(interval, 1)
  const { lower, upper } = shareInterval(means, confidence)
  return { ...interval, lower, upper }
}

function clipLimits<T extends Pick<MeanInterval, 'lower' | 'upper'>>(interval: T, most: number): T {
  const clip = (limit: number | null) => (limit === null ? null : Math.min(most, Math.max(0, limit)))
  return { ...interval, lower: clip(interval.lower), upper: clip(interval.upper) }
}
