import { mean, variance } from '../numeric/moments.ts'
import { differences } from '../paired/task-difference.ts'
import { detectableDifference, leastSeparated, needsExactTest } from '../planning/claim-power.ts'
import { type DifferenceVariance, differenceVariance } from '../planning/paired-sample-size.ts'
import { epochsNeeded, type PlannedTest, type TasksNeeded, tasksNeeded } from '../planning/tasks-needed.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterSums } from '../tasks/clusters.ts'
import { pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import { pooledWithinVariance } from '../tasks/variance-components.ts'
import type { OutcomeDifference, PairPlanning } from './pair-results.ts'

/** What is known of a pair from a pilot or a finished run. */
interface PlannedPair {
  planning: PairPlanning
  outcome: Pick<OutcomeDifference, 'estimate' | 'nTasks'>
}

interface TaskPlan extends TasksNeeded {
  detectable: { mde: number | null; refusal: Refusal | null }
  /** Epochs of the pilot's own tasks that are enough. */
  more: { epochs: number | null; refusal: Refusal | null }
}

const plannedPower = 0.8

/** Computes the smallest detectable difference of a pair, and whether more tasks or more epochs would help. */
export function pairPlanning(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { alpha, family, clusters }: { alpha: number; family: number; clusters: Clusters | null },
): PairPlanning {
  const pairs = pairedMeans(a, b, clusters)
  const values = differences(pairs.a, pairs.b)
  const units = clusterSums(values, pairs.clusters)
  const spread = variance(values)
  const shape = shapeOf(units)
  const inFamily = { alpha: alpha / Math.max(1, family), power: plannedPower }
  const none = {
    ...{ withinShare: null, mde: null, mdeInFamily: null, mdeRefusal: null, advice: null },
    separatedNeeded: needsExactTest(shape, units.length) ? leastSeparated(inFamily.alpha) : null,
    ...{ tied: shape.tied, separatedSize: shape.size },
  }
  if (spread === null) {
    const refusal = values.length === 0 ? ('no-task' as const) : ('one-task' as const)
    return { ...none, parts: null, mdeRefusal: refusal, refusal }
  }
  const { parts: ofTasks, known } = differenceParts(a, b, spread)
  const parts = { ...ofTasks, omega2: ofTasks.omega2 + excessOfClusters(values, units) }
  const total = differenceVariance(parts)
  if (total === 0) return { ...none, parts, mdeRefusal: 'no-spread', refusal: 'no-spread' }
  const withinShare = known ? 1 - parts.omega2 / total : null
  // Of clusters: the same error of the mean over fewer units.
  const pilot = { ...shape, variance: (total * units.length) / values.length }
  const single = detectableDifference(pilot, units.length, { alpha, power: plannedPower })
  const adjusted = detectableDifference(pilot, units.length, inFamily)
  return {
    ...none,
    parts,
    withinShare,
    mde: single.mde,
    mdeInFamily: adjusted.mde,
    mdeRefusal: adjusted.refusal,
    advice: withinShare === null ? null : withinShare >= 0.5 ? 'epochs' : 'tasks',
    refusal: known ? null : 'one-epoch',
  }
}

/** Returns what clusters add to the variance of a task difference, as it counts for the mean: 0 where each task is a unit. */
function excessOfClusters(values: readonly number[], units: readonly number[]): number {
  const byCluster = ((variance(units) ?? 0) * values.length) / units.length
  return units.length === values.length ? 0 : Math.max(0, byCluster - (variance(values) ?? 0))
}

/** Plans a pair's tasks, and epochs, for a difference of `delta`; with `epochs` for another number of epochs than the pilot's. */
export function planTasks(
  { planning, outcome }: PlannedPair,
  test: PlannedTest,
  epochs?: number,
): TaskPlan | null {
  if (planning.parts === null) return null
  const parts = epochs ? { ...planning.parts, epochsA: epochs, epochsB: epochs } : planning.parts
  const variance = differenceVariance(parts)
  // A difference of single trials is -1, 0 or 1, so its mean square is the share of separated tasks.
  const single = epochs === 1 && { tied: variance + (outcome.estimate ?? 0) ** 2 < 0.5, size: 1 }
  const shape = single || { tied: planning.tied, size: planning.separatedSize }
  return {
    detectable: detectableDifference({ ...shape, variance }, outcome.nTasks, test),
    ...tasksNeeded(parts, outcome.nTasks, test, shape),
    more: claimedEpochs(parts, outcome.nTasks, test, shape),
  }
}

function claimedEpochs(
  parts: DifferenceVariance,
  n: number,
  test: PlannedTest,
  shape: { tied: boolean; size: number },
): TaskPlan['more'] {
  const more = epochsNeeded(parts, n, test)
  if (more.epochs === null) return more
  const variance = differenceVariance({ ...parts, epochsA: more.epochs, epochsB: more.epochs })
  const { mde } = detectableDifference({ ...shape, variance }, n, test)
  // More epochs do not separate more tasks.
  return mde !== null && mde <= test.delta * (1 + 1e-9) ? more : { epochs: null, refusal: 'tasks-not-epochs' }
}

function shapeOf(values: readonly number[]): { tied: boolean; size: number } {
  const moved = values.filter((value) => value !== 0)
  return { tied: moved.length < values.length / 2, size: mean(moved.map(Math.abs)) ?? 1 }
}

/**
 * Splits the variance of task differences into that of true differences and the noise of epochs, cut at 0 (Miller
 * 2024). With one epoch the two cannot be separated: all of it is in `omega2`, and `known` is false.
 */
function differenceParts(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  spread: number,
): { parts: DifferenceVariance; known: boolean } {
  const both = a.flatMap((ours, index) => {
    const theirs = b[index] as TaskValue
    return ours.trials > 0 && theirs.trials > 0 ? [{ ours, theirs }] : []
  })
  const [ours, theirs] = [both.map((pair) => pair.ours), both.map((pair) => pair.theirs)]
  const [sigma2A, sigma2B] = [pooledWithinVariance(ours), pooledWithinVariance(theirs)]
  const epochsA = harmonicEpochs(ours)
  const epochsB = harmonicEpochs(theirs)
  if (sigma2A === null || sigma2B === null)
    return { parts: { omega2: spread, sigma2A: 0, sigma2B: 0, epochsA, epochsB }, known: false }
  const rest = spread - sigma2A / epochsA - sigma2B / epochsB
  // A difference of two equal sums is rounding error, not variance.
  const omega2 = rest > 1e-13 * spread ? rest : 0
  return { parts: { omega2, sigma2A, sigma2B, epochsA, epochsB }, known: true }
}

// Errors of task means add up as 1 / epochs.
function harmonicEpochs(tasks: readonly TaskValue[]): number {
  return 1 / (mean(tasks.map(({ trials }) => 1 / trials)) ?? 1)
}
