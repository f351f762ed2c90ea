import type { Comparison, PairComparison } from '../../analysis/compare/comparison.ts'
import { planTasks } from '../../analysis/compare/pair-planning.ts'
import { type McnemarPlan, mcnemarPlan } from '../../analysis/planning/mcnemar-planning.ts'
import { type Refusal, refusals } from '../../analysis/refusal.ts'
import type { PlannedTest } from '../planning/tasks-needed.ts'

/** The plan for a pair of methods, computed from a pilot. */
export interface PairPlan {
  a: string
  b: string
  tasks: number
  /** Smallest difference that this number of tasks detects, as a share. */
  detectable: number | null
  /** Why it is null although tasks can be planned, as a run of fewer than six tasks. */
  detectableRefusal: string | null
  /** Tasks that the requested difference requires; the same at the 80% upper limit of the pilot's variance, and with infinitely many epochs. */
  needed: number | null
  neededUpper: number | null
  neededEndlessEpochs: number | null
  /** The same for McNemar's test; only for a pilot of one epoch with pass/fail outcomes, else null. */
  mcnemar: McnemarPlan | null
  /** Tasks to take: those needed, or those of McNemar's test, which a run of one epoch uses, where they are more. */
  take: number | null
  /** Epochs of each of the pilot's tasks that detect it, for each method; null if no number does, or epochs are unknown. */
  neededEpochs: number | null
  /** Why `neededEpochs` is null. */
  epochsRefusal: string | null
  /** US dollars of one trial of both methods, as in the pilot; null if unknown. */
  trialsUsd: number | null
  /** US dollars of the tasks to take for both methods; null if unknown. */
  costUsd: number | null
  refusal: string | null
}

/** Plans for one pair. `epochs` are those of the planned run, `epochs.shown` also if they are the pilot's own. */
export function planPair(
  { a, b, outcome, planning }: PairComparison,
  test: PlannedTest,
  {
    asked,
    shown,
    usdOf,
    mostEpochs = null,
  }: {
    asked: number | undefined
    shown: number
    usdOf: (label: string) => number | null
    /** Null: any number of epochs can be run; else that of the samples that recorded replies have of a task. */
    mostEpochs?: number | null
  },
): PairPlan {
  const [usdA, usdB] = [usdOf(a), usdOf(b)]
  const trialsUsd = usdA === null || usdB === null ? null : usdA + usdB
  const none = {
    ...{
      detectable: null,
      detectableRefusal: null,
      take: null,
      needed: null,
      neededUpper: null,
      neededEndlessEpochs: null,
    },
    ...{ mcnemar: null, neededEpochs: null, epochsRefusal: null, costUsd: null },
  }
  const pair = { a, b, tasks: outcome.nTasks, trialsUsd }
  // One epoch does not show the noise within tasks, so another number of epochs cannot be planned.
  if (
    planning.parts === null ||
    planning.refusal === 'no-spread' ||
    (asked && planning.refusal === 'one-epoch')
  )
    return { ...pair, ...none, refusal: textOf(planning.refusal ?? 'no-task', mostEpochs) }
  const planned = planTasks({ planning, outcome }, test, asked)
  if (planned === null) return { ...pair, ...none, refusal: textOf('no-task', mostEpochs) }
  const known = planning.refusal !== 'one-epoch'
  const more = known ? planned.more : { epochs: null, refusal: 'one-epoch' as const }
  const mcnemar =
    outcome.interval === 'newcombe' ? mcnemarPlan(outcome.separated / outcome.nTasks, test) : null
  return {
    ...pair,
    detectable: planned.detectable.mde,
    detectableRefusal: planned.detectable.refusal && refusals[planned.detectable.refusal],
    needed: planned.n,
    neededUpper: planned.nUpper,
    neededEndlessEpochs: known ? planned.nEndlessEpochs : null,
    mcnemar,
    ...epochsWithin(more, mostEpochs),
    take: mostTasks(planned.n, mcnemar),
    costUsd: trialsUsd === null ? null : trialsUsd * mostTasks(planned.n, mcnemar) * shown,
    refusal: null,
  }
}

const mostTasks = (needed: number, mcnemar: McnemarPlan | null) => Math.max(needed, mcnemar?.n ?? 0)

function textOf(refusal: Refusal, mostEpochs: number | null): string {
  if (refusal !== 'one-epoch') return refusals[refusal]
  return mostEpochs === 1
    ? `${refusals[refusal]}, and the recorded replies have no second sample of a task`
    : `${refusals[refusal]}; run a pilot with --epochs 2`
}

/** More epochs than a task has recorded samples cannot be run. */
function epochsWithin(
  { epochs, refusal }: { epochs: number | null; refusal: Refusal | null },
  mostEpochs: number | null,
): Pick<PairPlan, 'neededEpochs' | 'epochsRefusal'> {
  if (epochs === null || mostEpochs === null || epochs <= mostEpochs)
    return { neededEpochs: epochs, epochsRefusal: refusal && textOf(refusal, mostEpochs) }
  const samples = `${mostEpochs} sample${mostEpochs === 1 ? '' : 's'}`
  return {
    neededEpochs: null,
    epochsRefusal: `${epochs} epochs of each would do, but the recorded replies have ${samples} of a task at most`,
  }
}

/** Returns the mean US dollars of a trial of each row, as in the pilot; null if unknown. */
export function meanUsd({ methods }: Pick<Comparison, 'methods'>): (label: string) => number | null {
  const means = new Map(methods.map(({ label, spent }) => [label, spent.costUsd.mean.estimate]))
  return (label) => means.get(label) ?? null
}

/** The run that finds the difference for every pair. */
export interface RunPlan {
  /** Tasks that the pair with most needs; null if some pair has no plan. */
  tasks: number | null
  /** The same at the 80% upper limit of the pilot's variance. */
  tasksUpper: number | null
  epochs: number
  /** US dollars of all methods on those tasks; null if unknown. */
  costUsd: number | null
}

/** Returns the run that all pairs need together. `usd` are the mean dollars of a trial of each row. */
export function planRun(
  pairs: readonly PairPlan[],
  usd: readonly (number | null)[],
  epochs: number,
): RunPlan {
  const most = (of: (pair: PairPlan) => number | null) =>
    pairs.reduce<number | null>((high, pair) => {
      const value = of(pair)
      return high === null || value === null ? null : Math.max(high, value)
    }, 0)
  const tasks = pairs.length === 0 ? null : most(({ take }) => take)
  const each = usd.reduce<number | null>((sum, one) => (sum === null || one === null ? null : sum + one), 0)
  return {
    tasks,
    tasksUpper:
      tasks === null
        ? null
        : most(({ take, neededUpper }) => neededUpper && take && Math.max(neededUpper, take)),
    epochs,
    costUsd: tasks === null || each === null ? null : tasks * epochs * each,
  }
}
