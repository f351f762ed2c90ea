import { meanOf, variance } from '../../numeric/moments.ts'
import { needsGuard } from '../../paired/difference-claim.ts'
import { nonInferiorityPaired } from '../../paired/equivalence.ts'
import { majorityInterval } from '../../paired/majorities.ts'
import { differences } from '../../paired/task-difference.ts'
import type { MarginGuard } from '../pair-results.ts'

/** From this number of standard deviations on a task that is lost whole is unlike the tasks that were seen. */
const unlike = 2

/** How a claim against the margin is guarded. */
interface GuardOptions {
  margin: number
  /** One-sided level of the t test. */
  level: number
  /** Confidence of the printed interval. */
  confidence: number
  /** Each task has one trial, which passed or failed. */
  single: boolean
}

/**
 * Returns the second limit that must lie inside the margin before A counts as not worse; null: the t test is enough. A t test
 * cannot know of losses that are too rare to be among these tasks. With one epoch the limit is Newcombe's, which is printed.
 * Where tasks are few or most are ties, it is Newcombe's of the majorities of epochs, or that of t with one task more that A
 * loses by half. Else, where a whole loss is far from what was seen, it is that of t with one task more that A loses whole
 * (Agresti and Coull 1998 add trials to a rate for the same reason).
 */
export function marginGuard(
  a: readonly number[],
  b: readonly number[],
  { margin, level, confidence, single }: GuardOptions,
): MarginGuard | null {
  const values = differences(a, b)
  const whole = meanOf(b)
  const of = (kind: MarginGuard['kind'], limit: number): MarginGuard => ({
    kind,
    limit,
    holds: limit > -margin,
  })
  const withLoss = (loss: number, oneSided: number): MarginGuard =>
    of('one-loss', nonInferiorityPaired([...values, -loss], margin, oneSided).lower ?? -1)
  const newcombe = () => majorityInterval(a, b, confidence).lower as number
  if (single) return of('newcombe', newcombe())
  if (needsGuard(values))
    return lowerGuard(of('newcombe-majorities', newcombe()), withLoss(whole / 2, (1 - confidence) / 2))
  return whole < unlike * Math.sqrt(variance(values) as number) ? null : withLoss(whole, level)
}

/** Returns the guard with the lower limit. */
export function lowerGuard<One extends MarginGuard | null>(one: One, other: One): One {
  if (one === null || other === null) return one ?? other
  return one.limit <= other.limit ? one : other
}
