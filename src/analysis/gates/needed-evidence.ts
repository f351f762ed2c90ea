import { lowerLimit } from '../compare/margin-guard.ts'
import { pairPlanning, planTasks } from '../compare/pair-planning.ts'
import { meanOf, standardError } from '../numeric/moments.ts'
import { pairedTSampleSize } from '../planning/paired-sample-size.ts'
import { clusterSums } from '../tasks/clusters.ts'
import { pairedMeans } from '../tasks/task-value.ts'
import { type GateCheck, type GateLevels, type GatePair, gateSides } from './check-limit.ts'

/** Tasks in all, or epochs of the tasks that there are; null: no number of epochs does, or it is not known. */
export interface NeededEvidence {
  tasks: number
  epochs: number | null
}

const plannedPower = 0.8

/** Returns what decides an open limit in 4 of 5 such runs if the difference stays as it was seen; null: nobody can say. */
export function neededEvidence(pair: GatePair, check: GateCheck, levels: GateLevels): NeededEvidence | null {
  if (check.answer !== 'not-enough-evidence' || check.refusal !== null) return null
  const sides = gateSides(pair, check.limit)
  // Where known costs would decide, more of the same does not help.
  if ('ratio' in check.limit && check.missingDecides) return null
  return 'ratio' in check.limit
    ? neededForRatio(sides, check, levels)
    : neededForOutcome(sides, check, levels)
}

type Sides = ReturnType<typeof gateSides>

function neededForOutcome(
  { a, b, clusters }: Sides,
  { estimate, bound, tasks }: Pick<GateCheck, 'estimate' | 'bound' | 'tasks'>,
  levels: GateLevels,
): NeededEvidence | null {
  const gap = (estimate as number) - bound
  if (Math.abs(gap) < nothing) return null
  const alpha = 2 * (gap > 0 ? levels.pass : levels.fail)
  const planning = pairPlanning(a, b, { alpha, family: 1, clusters })
  const plan = planTasks(
    { planning, outcome: { estimate, nTasks: tasks } },
    { delta: Math.abs(gap), alpha, power: plannedPower },
  )
  if (plan === null) return null
  if (plan.n > a.length) return { tasks: plan.n, epochs: planning.refusal === null ? plan.more.epochs : null }
  const more = repeated({ a, b, clusters }, bound, levels)
  return more === null ? null : { tasks: more, epochs: null }
}

/** A gap to the limit that is smaller is rounding error. */
const nothing = 1e-9

/** Where a guard holds an answer back, returns the tasks that decide if all results come again on others like them; null: too many. */
function repeated({ a, b, clusters }: Sides, bound: number, { pass, fail }: GateLevels): number | null {
  for (let times = 2; times <= mostTimes; times *= 2) {
    const copies = [...Array(times).keys()]
    const [ours, theirs] = [copies.flatMap(() => a), copies.flatMap(() => b)]
    const groups = clusters && copies.flatMap((copy) => clusters.map((one) => one + copy * a.length))
    const [lower, upper] = [lowerLimit(ours, theirs, pass, groups), lowerLimit(theirs, ours, fail, groups)]
    if ((lower.limit ?? -1) > bound || -(upper.limit ?? -1) < bound) return ours.length
  }
  return null
}

const mostTimes = 64

/** Plans the t test of x - bound y, which Fieller's limits invert. */
function neededForRatio(
  { a, b, clusters }: Sides,
  { bound, tasks }: Pick<GateCheck, 'bound' | 'tasks'>,
  levels: GateLevels,
): NeededEvidence | null {
  const pairs = pairedMeans(a, b, clusters)
  const misfit = pairs.a.map((value, index) => value - bound * (pairs.b[index] as number))
  const values = clusterSums(misfit, pairs.clusters)
  const [gap, error] = [meanOf(values), standardError(values)]
  if (error === null || Math.abs(gap) <= nothing * meanOf(pairs.a)) return null
  const alpha = 2 * (gap < 0 ? levels.pass : levels.fail)
  const { n } = pairedTSampleSize(error * Math.sqrt(values.length), gap, alpha, plannedPower)
  const units = Math.max(n, values.length + 1)
  return { tasks: Math.ceil((units * tasks) / values.length), epochs: null }
}
