import { mean } from '../numeric/moments.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterMeans, clusterSums, countUnits } from './clusters.ts'
import { clopperPearsonInterval, clusteredProportion, type Interval, wilsonInterval } from './interval.ts'
import type { TaskValue } from './task-value.ts'

/** A success rate: Wilson's interval for single trials, wider near 0% and 100%, Korn and Graubard's for several trials of a task and for clusters. */
interface SuccessRate extends Interval {
  interval: 'wilson' | 'korn-graubard' | null
  refusal: Refusal | null
}

/**
 * Computes the success rate over tasks with its interval, by cluster if there are clusters, widened by what the tasks cannot
 * know of rarer ones. No interval for a single task or cluster.
 */
export function successRate(
  tasks: readonly TaskValue[],
  confidence: number,
  clusters: Clusters | null = null,
): SuccessRate {
  const known = tasks.flatMap(({ mean, trials }, index) =>
    mean === null ? [] : [{ mean, trials, cluster: clusters?.[index] ?? index }],
  )
  const means = known.map((task) => task.mean)
  const groups = clusters && known.map(({ cluster }) => cluster)
  const units = countUnits(means, groups)
  if (units < 2) {
    const refusal = means.length === 0 ? ('no-task' as const) : ('one-task' as const)
    return { estimate: mean(means), lower: null, upper: null, interval: null, refusal }
  }
  const trials = known.reduce((sum, task) => sum + task.trials, 0)
  const isSingle = trials === means.length && means.every((value) => value === 0 || value === 1)
  if (!clusters && isSingle) {
    return { ...singleRate(means, confidence), interval: 'wilson', refusal: null }
  }
  const { estimate, lower, upper } = clusteredProportion(
    clusterSums(means, groups).map((mean) => ({ mean, trials: 1, missing: 0, squares: 0 })),
    confidence,
    trials,
  )
  const limits = { lower: lower as number, upper: upper as number }
  return {
    estimate,
    ...guardWhole(limits, clusterMeans(means, groups), confidence),
    interval: 'korn-graubard',
    refusal: null,
  }
}

/** With fewer tasks than this on one side Wilson's limit on the other is too near (Brown, Cai and DasGupta 2001). */
const fewOnSide = 5

/** Computes Wilson's interval, widened to Clopper and Pearson's near the floor and near the ceiling. */
function singleRate(means: readonly number[], confidence: number): Interval {
  const passed = means.filter((value) => value === 1).length
  const [narrow, exact] = [wilsonInterval, clopperPearsonInterval].map((interval) =>
    interval(passed, means.length, confidence),
  ) as [Interval, Interval]
  return {
    ...narrow,
    ...(passed < fewOnSide && { lower: exact.lower }),
    ...(means.length - passed < fewOnSide && { upper: exact.upper }),
  }
}

/** The same over values that are shares themselves. */
export function shareRate(
  shares: readonly number[],
  confidence: number,
  clusters: Clusters | null = null,
): SuccessRate {
  return successRate(
    shares.map((mean) => ({ mean, trials: 1, missing: 0, squares: 0 })),
    confidence,
    clusters,
  )
}

/**
 * Widens limits by units, tasks or clusters, that are lost whole, or won whole, and are so rare that few or none are among
 * these. The lower limit is at most the rate of the others if as many are lost as Clopper and Pearson's limit allows for those
 * seen; the upper limit alike.
 */
function guardWhole(
  { lower, upper }: { lower: number; upper: number },
  means: readonly number[],
  confidence: number,
): { lower: number; upper: number } {
  const share = (seen: number) => clopperPearsonInterval(seen, means.length, confidence).upper as number
  const rateWithout = (whole: number) => mean(means.filter((value) => value !== whole)) ?? 1 - whole
  const count = (whole: number) => means.filter((value) => value === whole).length
  const [lost, won] = [share(count(0)), share(count(1))]
  return {
    lower: Math.min(lower, (1 - lost) * rateWithout(0)),
    upper: Math.max(upper, won + (1 - won) * rateWithout(1)),
  }
}
