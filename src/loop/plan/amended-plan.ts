import type { TrialRecord } from '../../schema/ledger/record.ts'
import type { Cell, Trial } from '../../schema/ledger/trial.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import type { Plan } from './plan.ts'

type Recorded = Pick<TrialRecord, 'trial' | 'task' | 'method' | 'agentSet' | 'epoch'>

/**
 * Returns the plan of a run whose tasks, agents or methods were changed: a trial that has a record from an earlier plan stays, in
 * the place of the trial that would follow it. Recorded trials of tasks that are gone come last. `isKnown` tests the name of a task.
 */
export function keepRecorded(
  plan: Plan,
  records: Iterable<Recorded>,
  isKnown: (task: string) => boolean,
): Plan {
  const trials = [...plan]
  const ids = new Set(trials.map(({ id }) => id))
  const places = new Map(trials.map(({ cell, epoch }, place) => [slotOf(cell, epoch), place]))
  for (const { trial: id, task, method, agentSet, epoch } of records) {
    if (ids.has(id) || !isKnown(task)) continue
    const place = places.get(JSON.stringify([refOfVersion(task), method, agentSet, epoch]))
    const like = trials[place ?? 0]?.cell
    if (place !== undefined && like) trials[place] = { id, cell: { ...like, task }, epoch }
    else {
      const cell = plan.cells.find((one) => one.method.label === method && one.agentSet === agentSet)
      if (cell) trials.push({ id, cell: { ...cell, task }, epoch })
    }
  }
  return planOf(trials, plan.cells)
}

/** Returns a plan of the trials of several, each once. */
export function joinPlans(plans: readonly Plan[]): Plan {
  const trials = new Map(plans.flatMap((plan) => [...plan].map((trial) => [trial.id, trial])))
  return planOf(
    [...trials.values()],
    plans.flatMap(({ cells }) => cells),
  )
}

/** The place of a trial in every version of a plan. */
const slotOf = ({ task, method, agentSet }: Cell, epoch: number) =>
  JSON.stringify([refOfVersion(task), method.label, agentSet, epoch])

const planOf = (trials: readonly Trial[], cells: readonly Cell[]): Plan => ({
  length: trials.length,
  cells,
  at: (place) => trials[place] as Trial,
  [Symbol.iterator]: () => trials.values(),
})
