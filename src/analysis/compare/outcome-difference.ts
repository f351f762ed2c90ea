import { mean, meanOf } from '../numeric/moments.ts'
import { claimPValue, differenceClaim, fewestTasks } from '../paired/difference-claim.ts'
import { pairedEffectSizes } from '../paired/effect-sizes.ts'
import { majorityInterval } from '../paired/majorities.ts'
import { mcnemarTest } from '../paired/mcnemar-test.ts'
import { signFlipTest } from '../paired/sign-flip-test.ts'
import { differences, differenceTest, rerunStandardError } from '../paired/task-difference.ts'
import type { Interval } from '../tasks/interval.ts'
import { missingBounds, pairedMeans, type TaskValue } from '../tasks/task-value.ts'
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
  { confidence, seed }: { confidence: number; seed: string },
): OutcomeDifference {
  const pairs = pairedMeans(a, b)
  const values = differences(pairs.a, pairs.b)
  return {
    ...outcomeInterval(a, b, confidence),
    outsideLimits: false,
    nTasks: values.length,
    nDropped: pairs.dropped,
    separated: values.filter((value) => value !== 0).length,
    ...(hasSingleTrials(a, b) && values.length >= fewestTasks ? singleClaim(values) : claim(values, seed)),
    rerunSe: rerunStandardError(a, b).se,
    effect: pairedEffectSizes(values),
    missing: missingOf(a, b, mean(values)),
  }
}

function claim(values: readonly number[], seed: string) {
  return differenceClaim(values, () => signFlipTest(values, seed))
}

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
  estimate: number | null,
): OutcomeDifference['missing'] {
  const [ours, theirs] = [missingIn(a), missingIn(b)]
  const planned = ours.planned + theirs.planned
  const few = ours.missing + theirs.missing <= 0.05 * planned
  if (few && ours.missing === theirs.missing) return null
  const { low, high } = missingBounds(a, b)
  const bounds = { low, high }
  if (low === null || high === null) return { ...bounds, decides: false, excludesEstimate: false }
  const isOutside = (value: number) => value < low - noise || value > high + noise
  return {
    ...bounds,
    decides: low <= 0 && high >= 0,
    excludesEstimate: estimate !== null && isOutside(estimate),
  }
}

function missingIn(tasks: readonly TaskValue[]) {
  const missing = tasks.reduce((sum, task) => sum + task.missing, 0)
  return { missing, planned: missing + tasks.reduce((sum, task) => sum + task.trials, 0) }
}

/** Computes the interval of A - B by the kind of data; none below two tasks. Tasks without a value of both are dropped. */
export function outcomeInterval(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  confidence: number,
): Interval & Pick<OutcomeDifference, 'interval' | 'se'> {
  const pairs = pairedMeans(a, b)
  const values = differences(pairs.a, pairs.b)
  const { estimate, se, lower, upper, refusal } = differenceTest(values, confidence)
  if (values.length < 2) return { estimate, se, lower, upper, interval: null }
  if (hasSingleTrials(a, b))
    return {
      ...majorityInterval(pairs.a, pairs.b, confidence),
      estimate,
      se,
      interval: 'newcombe',
    }
  if (refusal === null) return { estimate, se, ...clipLimits(lower, upper), interval: 'paired-t' }
  // Equal differences have no t interval. The interval of which method solves most trials of a task exists.
  const rough = majorityInterval(pairs.a, pairs.b, confidence)
  const centre = meanOf(values)
  return {
    estimate,
    se,
    lower: Math.min(rough.lower as number, centre),
    upper: Math.max(rough.upper as number, centre),
    interval: 'newcombe-majorities',
  }
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
