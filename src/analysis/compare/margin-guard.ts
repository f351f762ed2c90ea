import { meanOf, variance } from '../numeric/moments.ts'
import { fewestTasks, needsGuard, tooFewRefusal } from '../paired/difference-claim.ts'
import { nonInferiorityPaired } from '../paired/equivalence.ts'
import { majorityCounts, majorityInterval } from '../paired/majorities.ts'
import { tangoLowerLimit } from '../paired/mcnemar-test.ts'
import { differences } from '../paired/task-difference.ts'
import type { Refusal } from '../refusal.ts'
import { type Clusters, clusterMeans, clusterSums } from '../tasks/clusters.ts'
import { clopperPearsonInterval } from '../tasks/interval.ts'
import { fillMissing, pairedMeans, type TaskValue } from '../tasks/task-value.ts'
import { hasSingleTrials } from './outcome-difference.ts'
import type { MarginGuard } from './pair-results.ts'

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
  /** The mean difference of the tasks that are not lost whole. */
  others?: number
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
  { margin, level, rateLevel, single, others = 0 }: GuardOptions,
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
  return lowerGuard(withLoss(whole, level), of('whole-losses', (1 - share) * others - whole * share))
}

/** Returns the guard with the lower limit; one that is absent is none. */
export function lowerGuard<One extends MarginGuard | null>(one: One, other: One): One {
  if (one === null || other === null) return one ?? other
  return one.limit <= other.limit ? one : other
}

/**
 * Returns the one-sided lower limit of A - B, at 1 - `level`, that a claim against any bound uses: the lowest of that of the paired
 * t test and of its guard, also if the missing trials all went against A. None below six tasks, or clusters.
 */
export function lowerLimit(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  level: number,
  clusters: Clusters | null = null,
): { limit: number | null; missingDecides: boolean; refusal: Refusal | null } {
  const known = knownLimit(a, b, level, clusters)
  if (known.limit === null || [...a, ...b].every(({ missing }) => missing === 0))
    return { ...known, missingDecides: false }
  const worst = knownLimit(fillMissing(a, 0), fillMissing(b, 1), level, clusters)
  return worst.limit !== null && worst.limit < known.limit
    ? { ...worst, missingDecides: true }
    : { ...known, missingDecides: false }
}

function knownLimit(
  a: readonly TaskValue[],
  b: readonly TaskValue[],
  level: number,
  clusters: Clusters | null,
): { limit: number | null; refusal: Refusal | null } {
  const means = pairedMeans(a, b, clusters)
  const values = clusterSums(differences(means.a, means.b), means.clusters)
  if (values.length < fewestTasks)
    return { limit: null, refusal: clusters ? 'too-few-clusters' : tooFewRefusal(values.length) }
  const { lower } = nonInferiorityPaired(values, 0, level)
  const [ours, theirs] = [clusterMeans(means.a, means.clusters), clusterMeans(means.b, means.clusters)]
  const guard = marginGuard(ours, theirs, {
    ...{ margin: 0, level, rateLevel: level, others: meanOf(values) },
    single: !clusters && hasSingleTrials(a, b),
  })
  return { limit: Math.max(-1, Math.min(lower ?? Infinity, guard?.limit ?? Infinity)), refusal: null }
}
