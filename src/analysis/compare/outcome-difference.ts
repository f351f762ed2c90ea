import { meanOf } from '../numeric/moments.ts'
import { claimOf, differenceClaim, fewestTasks } from '../paired/difference-claim.ts'
import { pairedEffectSizes } from '../paired/effect-sizes.ts'
import { mcnemarTest } from '../paired/mcnemar-test.ts'
import { newcombePairedInterval } from '../paired/newcombe-interval.ts'
import { rerunStandardError } from '../paired/rerun-standard-error.ts'
import { signFlipTest } from '../paired/sign-flip-test.ts'
import { differences, differenceTest } from '../paired/task-difference.ts'
import type { Interval } from '../tasks/interval.ts'
import { missingBounds } from '../tasks/missing-bounds.ts'
import { pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import type { OutcomeDifference } from './comparison.ts'

/**
 * A - B on an outcome in [0, 1], tasks paired: Newcombe's interval and McNemar's mid-p for single trials that pass or
 * fail, else the paired t interval and test of task means. Below two tasks estimates only, below six no test.
 */
export function outcomeDifference(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  { confidence, seed }: { confidence: number; seed: string },
): OutcomeDifference {
  const pairs = pairedMeans(a, b)
  const values = differences(pairs.a, pairs.b)
  const single = isSingle(a, b)
  return {
    ...intervalOf(pairs.a, pairs.b, values, single, confidence),
    nTasks: values.length,
    nDropped: pairs.dropped,
    separated: values.filter((value) => value !== 0).length,
    ...(single && values.length >= fewestTasks ? singleClaim(values) : claim(values, seed)),
    rerunSe: rerunStandardError(a, b).se,
    effect: pairedEffectSizes(values),
    missing: missingOf(a, b),
  }
}

/** One trial a task that passed or failed, wherever both methods have any. */
function isSingle(a: readonly TaskValue[], b: readonly TaskValue[]): boolean {
  const binary = ({ mean, trials }: TaskValue) => trials === 1 && (mean === 0 || mean === 1)
  return a.every((ours, index) => {
    const theirs = b[index] as TaskValue
    return ours.trials === 0 || theirs.trials === 0 || (binary(ours) && binary(theirs))
  })
}

function claim(values: readonly number[], seed: string) {
  return differenceClaim(values, () => signFlipTest(values, seed))
}

function singleClaim(values: readonly number[]) {
  const { pMidP, pExact } = mcnemarTest(
    values.filter((value) => value > 0).length,
    values.filter((value) => value < 0).length,
  )
  const refusal = values.every((value) => value === 0) ? ('no-difference' as const) : null
  return {
    p: pMidP,
    test: 'mcnemar-mid-p' as const,
    exactP: pExact,
    flips: null,
    claimP: claimOf(values, pMidP, pExact),
    refusal,
  }
}

function intervalOf(
  a: readonly number[],
  b: readonly number[],
  values: readonly number[],
  single: boolean,
  confidence: number,
): Interval & Pick<OutcomeDifference, 'interval' | 'se'> {
  const { estimate, se, lower, upper, refusal } = differenceTest(values, confidence)
  if (values.length < 2) return { estimate, se, lower, upper, interval: null }
  if (single) return { ...majorities(a, b, confidence), estimate, se, interval: 'newcombe' }
  if (refusal === null) return { estimate, se, lower, upper, interval: 'paired-t' }
  // Tasks that all differ by the same amount have no t interval; by which of the two solves most trials they have one.
  const rough = majorities(a, b, confidence)
  const centre = meanOf(values)
  return {
    estimate,
    se,
    lower: Math.min(rough.lower as number, centre),
    upper: Math.max(rough.upper as number, centre),
    interval: 'newcombe-majorities',
  }
}

function majorities(a: readonly number[], b: readonly number[], confidence: number): Interval {
  const count = (ours: boolean, theirs: boolean) =>
    a.filter((value, index) => value > 0.5 === ours && (b[index] as number) > 0.5 === theirs).length
  return newcombePairedInterval(
    count(true, true),
    count(true, false),
    count(false, true),
    count(false, false),
    confidence,
  )
}

function missingOf(a: readonly TaskValue[], b: readonly TaskValue[]): OutcomeDifference['missing'] {
  const [ours, theirs] = [missingIn(a), missingIn(b)]
  const planned = ours.planned + theirs.planned
  const few = ours.missing + theirs.missing <= 0.05 * planned
  if (few && ours.missing === theirs.missing) return null
  const { low, high } = missingBounds(a, b)
  return { low, high, decides: low !== null && high !== null && low <= 0 && high >= 0 }
}

function missingIn(tasks: readonly TaskValue[]) {
  const missing = tasks.reduce((sum, task) => sum + task.missing, 0)
  return { missing, planned: missing + tasks.reduce((sum, task) => sum + task.trials, 0) }
}
