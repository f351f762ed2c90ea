import { meanOf, variance } from '../../numeric/moments.ts'
import { needsGuard } from '../../paired/difference-claim.ts'
import { nonInferiorityPaired } from '../../paired/equivalence.ts'
import { majorityCounts, majorityInterval } from '../../paired/majorities.ts'
import { tangoLowerLimit } from '../../paired/tango-score-test.ts'
import { differences } from '../../paired/task-difference.ts'
import { clopperPearsonInterval } from '../../tasks/binomial-intervals.ts'
import type { MarginGuard } from '../pair-results.ts'

/** From this number of standard deviations on a task that is lost whole is unlike the tasks that were seen. */
const unlike = 2
/** From this share of what the other method solves on a task counts as lost whole. */
const nearlyWhole = 0.75

/** How a claim against the margin is guarded. Levels are shared by the tests of the family. */
interface GuardOptions {
  margin: number
  /** One-sided level of a limit of t. */
  level: number
  /** One-sided level of a limit of rates. */
  rateLevel: number
  /** Each task has one trial, which passed or failed. */
  single: boolean
}

/**
 * Returns the second limit that must lie inside the margin before A counts as not worse; null: the t test is enough. A t test
 * cannot know of losses that are too rare to be among these tasks. With one epoch the limit is the lower of Newcombe's and of
 * Tango's score test: Newcombe's alone claims too often where one method solves nothing that the other does not. Where tasks
 * are few or most are ties, it is the lower of the same two of the majorities of epochs, and of t with one task more that A
 * loses by half. Else, where a whole loss is far from what was seen, it is the lower of t with one task more that A loses whole
 * (Agresti and Coull 1998 add trials to a rate for the same reason), and of the mean if as many tasks are lost whole as
 * Clopper and Pearson's limit allows for those seen, often none.
 */
export function marginGuard(
  a: readonly number[],
  b: readonly number[],
  { margin, level, rateLevel, single }: GuardOptions,
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
  const byRates = (kind: MarginGuard['kind']) =>
    lowerGuard(
      of(kind, majorityInterval(a, b, 1 - 2 * rateLevel).lower as number),
      of('tango', tangoLowerLimit(majorityCounts(a, b), rateLevel)),
    )
  if (single) return byRates('newcombe')
  if (needsGuard(values)) return lowerGuard(byRates('newcombe-majorities'), withLoss(whole / 2, rateLevel))
  if (whole < unlike * Math.sqrt(variance(values) as number)) return null
  const seen = values.filter((value) => value <= -nearlyWhole * whole).length
  const share = clopperPearsonInterval(seen, values.length, 1 - 2 * level).upper as number
  return lowerGuard(withLoss(whole, level), of('whole-losses', -whole * share))
}

/** Returns the guard with the lower limit. */
export function lowerGuard<One extends MarginGuard | null>(one: One, other: One): One {
  if (one === null || other === null) return one ?? other
  return one.limit <= other.limit ? one : other
}
