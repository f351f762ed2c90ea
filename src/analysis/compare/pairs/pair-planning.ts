import { mean, variance } from '../../numeric/moments.ts'
import { differences } from '../../paired/task-difference.ts'
import {
  type DifferenceVariance,
  differenceVariance,
  minimumDetectableEffect,
} from '../../planning/paired-sample-size.ts'
import { pairedMeans, type TaskValue } from '../../tasks/task-value.ts'
import { pooledWithinVariance } from '../../tasks/variance-components.ts'
import type { PairPlanning } from '../pair-results.ts'

/** Power of the minimum detectable effect. */
const plannedPower = 0.8

/** Computes the smallest detectable difference of a pair, and whether more tasks or more epochs would help. */
export function pairPlanning(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { alpha, family }: { alpha: number; family: number },
): PairPlanning {
  const pairs = pairedMeans(a, b)
  const values = differences(pairs.a, pairs.b)
  const spread = variance(values)
  const none = {
    withinShare: null,
    mde: null,
    mdeInFamily: null,
    mdeRefusal: null,
    separatedNeeded: null,
    advice: null,
  }
  if (spread === null) return { ...none, parts: null, refusal: values.length === 0 ? 'no-task' : 'one-task' }
  const { parts, known } = differenceParts(a, b, spread)
  const total = differenceVariance(parts)
  if (total === 0) return { ...none, parts, refusal: 'no-spread' }
  const withinShare = known ? 1 - parts.omega2 / total : null
  const mde = (level: number) => minimumDetectableEffect(parts, values.length, level, plannedPower).mde
  return {
    parts,
    withinShare,
    mde: mde(alpha),
    mdeInFamily: mde(alpha / Math.max(1, family)),
    mdeRefusal: null,
    separatedNeeded: null,
    advice: withinShare === null ? null : withinShare >= 0.5 ? 'epochs' : 'tasks',
    refusal: known ? null : 'one-epoch',
  }
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
