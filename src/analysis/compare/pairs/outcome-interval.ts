import { meanOf } from '../../numeric/moments.ts'
import { majorityInterval } from '../../paired/majorities.ts'
import { differences, differenceTest } from '../../paired/task-difference.ts'
import type { Interval } from '../../tasks/interval.ts'
import { pairedMeans, type TaskValue } from '../../tasks/task-value.ts'
import type { OutcomeDifference } from '../pair-results.ts'

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
