import { mean } from '../numeric/moments.ts'
import { claimPValue, differenceClaim, fewestTasks } from '../paired/difference-claim.ts'
import { pairedEffectSizes } from '../paired/effect-sizes.ts'
import { majorityInterval } from '../paired/majorities.ts'
import { mcnemarTest } from '../paired/mcnemar-test.ts'
import { signFlipTest } from '../paired/sign-flip-test.ts'
import { differences, differenceTest, rerunStandardError } from '../paired/task-difference.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterMeans, clusterSums, countUnits } from '../tasks/clusters.ts'
import type { Interval } from '../tasks/interval.ts'
import { fillMissing, missingBounds, pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import type { OutcomeDifference } from './pair-results.ts'

/** Bounds and an estimate that differ by less are equal, but for rounding. */
const noise = 1e-12

/**
 * Compares A and B on an outcome in [0, 1], tasks paired: Newcombe's interval and McNemar's mid-p for single trials that
 * pass or fail, else the paired t interval and test of task means. Below two tasks estimates only, below six no test.
 */
export function outcomeDifference(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { confidence, seed, clusters = null }: { confidence: number; seed: string; clusters?: Clusters | null },
): OutcomeDifference {
  const pairs = pairedMeans(a, b, clusters)
  const values = differences(pairs.a, pairs.b)
  const claim = claimOf(a, b, { seed, clusters })
  const missing = missingOf(a, b, { estimate: mean(values), knownP: claim.claimP, seed, clusters })
  return {
    ...outcomeInterval(a, b, confidence, clusters),
    outsideLimits: false,
    nTasks: values.length,
    nClusters: clusters && countUnits(values, pairs.clusters),
    nDropped: pairs.dropped,
    separated: values.filter((value) => value !== 0).length,
    ...claim,
    claimP: claim.claimP === null ? null : Math.max(claim.claimP, missing?.worstP ?? 0),
    rerunSe: rerunStandardError(a, b).se,
    effect: pairedEffectSizes(values),
    missing,
  }
}

/** Tests the difference by the kind of data; with clusters always their summed differences. */
function claimOf(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { seed, clusters }: { seed: string; clusters: Clusters | null },
) {
  const pairs = pairedMeans(a, b, clusters)
  const values = clusterSums(differences(pairs.a, pairs.b), pairs.clusters)
  if (!clusters && hasSingleTrials(a, b) && values.length >= fewestTasks) return singleClaim(values)
  const claim = differenceClaim(values, () => signFlipTest(values, seed))
  return clusters && claim.refusal === 'too-few-tasks' ? { ...claim, refusal: fewClusters } : claim
}

const fewClusters: Refusal = 'too-few-clusters'

function singleClaim(values: readonly number[]) {
  const { pMidP, pExact } = mcnemarTest(
    values.filter((value) => value > 0).length,
    values.filter((value) => value < 0).length,
  )
  const refusal = values.every((value) => value === 0) ? ('not-separated' as const) : null
  return {
    p: pMidP,
    test: 'mcnemar-mid-p' as const,
    exactP: pExact,
    flips: null,
    claimP: claimPValue(values, pMidP, pExact),
    refusal,
  }
}

function missingOf(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  known: { estimate: number | null; knownP: number | null; seed: string; clusters: Clusters | null },
): OutcomeDifference['missing'] {
  if ([...a, ...b].every(({ missing }) => missing === 0)) return null
  const { estimate, knownP } = known
  const { low, high } = missingBounds(a, b)
  const bounds = { low, high, knownP }
  if (low === null || high === null)
    return { ...bounds, worstP: null, decides: false, excludesEstimate: false }
  const isOutside = (value: number) => value < low - noise || value > high + noise
  const decides = low <= 0 && high >= 0
  return {
    ...bounds,
    worstP: decides ? 1 : worstCaseP(a, b, { ...known, isAhead: (estimate ?? low) > 0 }),
    decides,
    excludesEstimate: estimate !== null && isOutside(estimate),
  }
}

/** Makes the same test with every missing trial counted against the method that is ahead. */
function worstCaseP(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { isAhead, ...options }: { isAhead: boolean; seed: string; clusters: Clusters | null },
): number | null {
  const [ours, theirs] = [fillMissing(a, isAhead ? 0 : 1), fillMissing(b, isAhead ? 1 : 0)]
  return claimOf(ours, theirs, options).claimP
}

/** Computes the interval of A - B by the kind of data; none below two tasks or clusters. Tasks without a value of both are dropped. */
export function outcomeInterval(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  confidence: number,
  clusters: Clusters | null = null,
): Interval & Pick<OutcomeDifference, 'interval' | 'se'> {
  const pairs = pairedMeans(a, b, clusters)
  const values = clusterSums(differences(pairs.a, pairs.b), pairs.clusters)
  const { estimate, se, lower, upper, refusal } = differenceTest(values, confidence)
  if (values.length < 2) return { estimate, se, lower, upper, interval: null }
  if (!clusters && hasSingleTrials(a, b))
    return {
      ...majorityInterval(pairs.a, pairs.b, confidence),
      estimate,
      se,
      interval: 'newcombe',
    }
  if (refusal === null) return { estimate, se, ...clipLimits(lower, upper), interval: 'paired-t' }
  // Equal differences have no t interval. The interval of which method solves most trials of a task exists.
  const [ours, theirs] = [clusterMeans(pairs.a, pairs.clusters), clusterMeans(pairs.b, pairs.clusters)]
  const rough = majorityInterval(ours, theirs, confidence)
  const { lower: low, upper: high } = rough as { lower: number; upper: number }
  // Where the majorities differ by another number, their limits would be of another question.
  const centre = estimate as number
  const isTheirs = rough.estimate !== null && Math.abs(rough.estimate - centre) <= noise
  return isTheirs
    ? { estimate, se, lower: low, upper: high, interval: 'newcombe-majorities' }
    : { estimate, se, lower: null, upper: null, interval: null }
}

// A difference of two outcomes in [0, 1].
function clipLimits(lower: number | null, upper: number | null) {
  return { lower: Math.max(-1, lower as number), upper: Math.min(1, upper as number) }
}

/** Whether every task that both methods have has one trial, which passed or failed. */
export function hasSingleTrials(a: readonly TaskValue[], b: readonly TaskValue[]): boolean {
  const binary = ({ mean, trials }: TaskValue) => trials === 1 && (mean === 0 || mean === 1)
  return a.every((ours, index) => {
    const theirs = b[index] as TaskValue
    return ours.trials === 0 || theirs.trials === 0 || (binary(ours) && binary(theirs))
  })
}
