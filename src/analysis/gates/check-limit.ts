import type { Outcome, Spent } from '../compare/comparison.ts'
import { lowerLimit } from '../compare/margin-guard.ts'
import type { MethodTasks } from '../compare/rows.ts'
import { mean } from '../numeric/moments.ts'
import { fewestTasks, tooFewRefusal } from '../paired/difference-claim.ts'
import { fiellerRatio, type Ratio } from '../ratios/ratio.ts'
import type { Refusal } from '../refusal.ts'
import { type ClusterNames, clusterSums, clustersOf } from '../tasks/clusters.ts'
import { fillMissing, type PairedMeans, pairedMeans, type TaskValue, taskMeans } from '../tasks/task-value.ts'

/** How much worse, or dearer, a method may be than the other. `suite` null: on all tasks. */
export type GateLimit = { suite: string | null } & (
  | {
      measure: Outcome
      /** The largest loss, as a share; and as a share of what the other has. The smaller of the two counts. */
      margin: number | null
      relativeMargin: number | null
    }
  | { measure: Spent /** The largest multiple of the other's mean. */; ratio: number }
)

/** The answers of a gate, worst first. */
const gateAnswers = ['fail', 'not-enough-evidence', 'pass'] as const
/** One of these. */
export type GateAnswer = (typeof gateAnswers)[number]

/** What a gate says of one limit. */
export interface GateCheck {
  limit: GateLimit
  answer: GateAnswer
  /**
   * The mean difference of the outcome, as a share, or the ratio of means, with the limits that decide: the one on the passing side is
   * one-sided at the level of the policy, the other at its share of it.
   */
  estimate: number | null
  lower: number | null
  upper: number | null
  /** What the limits are compared with: `-margin`, or the ratio. */
  bound: number
  /** Means of the method, and of the other, over the tasks that both have. */
  means: { method: number | null; against: number | null }
  /** Tasks with a value of both methods, and all that were planned for both. */
  tasks: number
  plannedTasks: number
  /** Planned trials of both methods without a value: not run, ended in error, or of unknown cost. */
  missing: number
  /** The limits are those with the missing trials counted against the answer. */
  missingDecides: boolean
  /** Why there are no limits. */
  refusal: Refusal | null
}

/** The two methods of a gate, on the same tasks. */
export interface GatePair {
  method: MethodTasks
  against: MethodTasks
  tasks: readonly string[]
  suites: ReadonlyMap<string, string>
  clusters: ClusterNames
  /** Why tests are void; null: they are valid. */
  voided: Refusal | null
}

/** One-sided levels of a gate. */
export interface GateLevels {
  pass: number
  fail: number
}

/**
 * Returns the levels at which a policy of so many limits fails falsely with a chance of `level` at most: to fail, one limit is enough,
 * so they share it (Bonferroni); to pass, each limit has to pass, so nothing need be shared.
 */
export const gateLevels = (level: number, limits: number): GateLevels => ({
  pass: level,
  fail: level / limits,
})

/** Returns the levels where so many wordings were tried: who keeps the best of them makes a false pass as many times as likely (Bonferroni). */
export const levelsOfWordings = (levels: GateLevels, wordings: number): GateLevels => ({
  ...levels,
  pass: levels.pass / wordings,
})

/**
 * Checks a limit by one-sided confidence limits (non-inferiority): it passes if all values up to the far limit are allowed, and fails
 * if none from the near limit on is.
 */
export function checkGateLimit(pair: GatePair, limit: GateLimit, levels: GateLevels): GateCheck {
  const sides = gateSides(pair, limit)
  const check = 'ratio' in limit ? checkSpent(sides, limit, levels) : checkOutcome(sides, limit, levels)
  const missing = [...sides.a, ...sides.b].reduce((sum, task) => sum + task.missing, 0)
  const shown = { limit, ...check, plannedTasks: sides.a.length, missing }
  if (pair.voided === null) return shown
  const { voided: refusal } = pair
  return { ...shown, answer: 'not-enough-evidence', lower: null, upper: null, refusal }
}

/** Returns the worst of some answers. */
export const worstAnswer = (answers: readonly GateAnswer[]): GateAnswer =>
  gateAnswers.find((answer) => answers.includes(answer)) ?? 'pass'

/** The values of both methods that a limit is about, on its tasks. */
export function gateSides(
  { method, against, tasks, suites, clusters }: GatePair,
  limit: Pick<GateLimit, 'measure' | 'suite'>,
) {
  const places = [...tasks.keys()].filter(
    (place) => limit.suite === null || suites.get(tasks[place] as string) === limit.suite,
  )
  const names = places.map((place) => tasks[place] as string)
  const values = ({ values }: MethodTasks) => places.map((place) => values[limit.measure][place] as TaskValue)
  return { a: values(method), b: values(against), clusters: clustersOf(names, clusters) }
}

type Sides = ReturnType<typeof gateSides>

/** Means of one measure of both methods of a gate. */
export interface GateMeans {
  measure: GateLimit['measure']
  method: number | null
  against: number | null
}

/** Returns the means of a measure over the tasks with a value of both methods. */
export function gateMeans(pair: GatePair, measure: GateLimit['measure']): GateMeans {
  const { a, b } = gateSides(pair, { measure, suite: null })
  const pairs = pairedMeans(a, b)
  return { measure, method: mean(pairs.a), against: mean(pairs.b) }
}

type Found = Omit<GateCheck, 'limit' | 'plannedTasks' | 'missing'>

function checkOutcome(
  { a, b, clusters }: Sides,
  { margin, relativeMargin }: Extract<GateLimit, { measure: Outcome }>,
  levels: GateLevels,
): Found {
  const pairs = pairedMeans(a, b, clusters)
  const [ours, theirs] = [mean(pairs.a), mean(pairs.b)]
  const relative = relativeMargin === null ? 1 : relativeMargin * (theirs ?? 0)
  const allowed = Math.min(margin ?? 1, relative)
  const known = lowerLimit(a, b, levels.pass, clusters)
  const turned = lowerLimit(b, a, levels.fail, clusters)
  const upper = turned.limit === null ? null : -turned.limit
  const estimate = ours === null || theirs === null ? null : ours - theirs
  const [lower, bound] = [known.limit, -allowed]
  const answer = answerOf({ passes: lower !== null && lower > bound, fails: upper !== null && upper < bound })
  const missingDecides = known.missingDecides || turned.missingDecides
  return {
    ...{ answer, estimate, lower, upper, bound, means: { method: ours, against: theirs } },
    ...{ tasks: pairs.a.length, missingDecides, refusal: known.refusal },
  }
}

const answerOf = ({ passes, fails }: { passes: boolean; fails: boolean }): GateAnswer =>
  fails ? 'fail' : passes ? 'pass' : 'not-enough-evidence'

function checkSpent(
  { a, b, clusters }: Sides,
  { ratio: bound }: Extract<GateLimit, { measure: Spent }>,
  levels: GateLevels,
): Found {
  const pairs = pairedMeans(a, b, clusters)
  const known = ratioLimits(pairs, levels)
  const least = (tasks: readonly TaskValue[]) => Math.min(...taskMeans(tasks))
  const most = (tasks: readonly TaskValue[]) => Math.max(...taskMeans(tasks))
  // What was not measured has no bound, so a missing trial counts as the dearest task, or the cheapest.
  const filled = (fillA: number, fillB: number) =>
    ratioLimits(pairedMeans(fillMissing(a, fillA), fillMissing(b, fillB), clusters), levels)
  const isOpen = known.lower === null && known.upper === null
  const isWhole = isOpen || [...a, ...b].every(({ missing }) => missing === 0)
  const dearest = isWhole ? known : filled(most(a), least(b))
  const cheapest = isWhole ? known : filled(least(a), most(b))
  const upper = known.upper === null || dearest.upper === null ? null : Math.max(known.upper, dearest.upper)
  const lower = known.lower === null || cheapest.lower === null ? null : Math.min(known.lower, cheapest.lower)
  // Nothing against nothing has no ratio, and exceeds none.
  const isFree =
    known.refusal === 'zero-baseline' && [...a, ...b].every((task) => task.mean === 0 && task.missing === 0)
  const answer = answerOf({
    passes: isFree || (upper !== null && upper <= bound),
    fails: lower !== null && lower > bound,
  })
  return {
    ...{ answer, estimate: known.ratio, lower, upper, bound },
    ...{ means: { method: mean(pairs.a), against: mean(pairs.b) }, tasks: pairs.a.length },
    ...{
      missingDecides: upper !== known.upper || lower !== known.lower,
      refusal: isFree ? null : known.refusal,
    },
  }
}

/** Returns the ratio of means with the one-sided limits that decide. */
function ratioLimits(pairs: PairedMeans, levels: GateLevels): Ratio {
  const [ours, theirs] = [clusterSums(pairs.a, pairs.clusters), clusterSums(pairs.b, pairs.clusters)]
  const [far, near] = [levels.pass, levels.fail].map((level) => fiellerRatio(ours, theirs, 1 - 2 * level))
  const { ratio = null, refusal = null } = far ?? {}
  if (ours.length < fewestTasks)
    return { ratio, lower: null, upper: null, refusal: tooFewRefusal(ours.length) }
  // All tasks have the same ratio: then it is known.
  const same = refusal === 'no-spread' ? ratio : null
  return {
    ...{ ratio, lower: near?.lower ?? same, upper: far?.upper ?? same },
    refusal: refusal === 'no-spread' ? null : refusal,
  }
}
