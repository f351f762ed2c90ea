import type { StopRule } from '../../../schema/run/comparison-plan.ts'
import { adjustedSkewness } from '../../numeric/moments.ts'
import type { OutcomeDifference, PairWarning } from '../pair-results.ts'

/** A task is lost whole from this difference on. */
const whole = 0.75
/** Above this share of tasks losses are not rare: then the t test sees them. */
const rare = 0.2
/** From this skewness on the asymptotic sequence settles falsely more often than its level says. */
const skewed = 0.8
/** Below this skewness differences vary so much that whole losses are not unlike the others. */
const lopsided = 1

/** Returns the signs in task differences that a procedure claims too often. */
export function pairWarnings(
  values: readonly number[],
  interval: OutcomeDifference['interval'],
  sequence: StopRule['sequence'] | null,
): PairWarning[] {
  if (sequence === 'asymptotic' && isSkewed(values)) return ['skewed-differences']
  return interval === 'paired-t' && hasRareFailures(values) ? ['rare-failures'] : []
}

/** Whether differences are skewed, or are small, mostly ties, and all in one direction: a rare loss may be unseen. */
function isSkewed(values: readonly number[]): boolean {
  const moved = values.filter((value) => value !== 0)
  const isOneSided = moved.every((value) => value > 0) || moved.every((value) => value < 0)
  const isSmall = moved.length < values.length / 2 && moved.every((value) => Math.abs(value) <= 0.5)
  return Math.abs(adjustedSkewness(values)) >= skewed || (moved.length > 0 && isOneSided && isSmall)
}

/** Whether few tasks are lost whole by the same method, most of the others differ little, and that skews the differences. */
function hasRareFailures(values: readonly number[]): boolean {
  const [forA, forB] = [1, -1].map((side) => values.filter((value) => side * value >= whole).length)
  const lost = Math.max(forA as number, forB as number)
  const little = values.filter((value) => Math.abs(value) < 1 - whole + 0.1).length
  return (
    Math.min(forA as number, forB as number) === 0 &&
    lost > 0 &&
    lost <= rare * values.length &&
    little > values.length / 2 &&
    Math.abs(adjustedSkewness(values)) >= lopsided
  )
}
