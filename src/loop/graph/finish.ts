import type { StepResult } from '../../graph.ts'
import { ConflictError } from '../../text/errors.ts'
import { adoptState } from '../files/workspace.ts'
import { branchName } from '../state/branch.ts'
import type { GraphRun } from './graph-run.ts'
import { joinSteps } from './join/join.ts'
import type { Joined } from './join/joined.ts'
import type { PlannedStep } from './schedule.ts'
import type { Step } from './step.ts'

/** Puts the branches of the steps in plan order, so that bills are added, and equal refusals found, in that order. */
export function sortMembers({ group, begun }: GraphRun): void {
  group.members.sort((a, b) => placeOf(begun.get(a.branch)) - placeOf(begun.get(b.branch)))
}

const placeOf = (planned: PlannedStep<Step> | undefined) => planned?.place ?? 0

/**
 * Returns the results, in plan order, with the files of all steps. After failures it throws the first, and the files are
 * those of the steps before all of them in plan order; the same after the first refusal on the clock.
 */
export function finish(graph: GraphRun): ReadonlyMap<string, StepResult> {
  const { branch, schedule, results, failed } = graph
  for (const { step, status } of schedule.steps)
    if (status === 'skipped' || status === 'waiting') {
      results.set(step.id, { status: 'skipped' })
      graph.trialState.unfinishedSteps.add(`${branch.path}/${branchName(step.id)}`)
    }
  for (const planned of schedule.steps)
    if (planned.status === 'waiting' && failed)
      graph.events.stepSkip(planned, branch.clock, failed.planned.step.id)
  const refused = [...graph.begun].find(([{ refused }]) => refused && refused === branch.refused)?.[1]
  const cut = Math.min(...[...graph.stoppedBy, ...(refused ? [refused] : [])].map(({ place }) => place))
  const { joined, conflict } = cutBefore(graph, cut)
  adoptState(branch.state, joined.state)
  branch.state.shared = joined.state.shared
  if (branch.refused) throw branch.refused.error
  // A method may throw anything, even nothing.
  if (failed) throw failed.error
  if (conflict) throw conflict
  return new Map(schedule.steps.map(({ step: { id } }) => [id, results.get(id) as StepResult]))
}

function joinBefore({ schedule, begin, ends, conflict }: GraphRun, place: number): Joined {
  const steps = schedule.steps.filter((planned) => planned.place < place && ends.has(planned.index))
  return joinSteps(steps, { begin, ends, policy: conflict })
}

/** Joins the steps before a place; where two of them are in conflict, those before the later of the two. */
function cutBefore(graph: GraphRun, place: number): { joined: Joined; conflict: ConflictError | undefined } {
  let conflict: ConflictError | undefined
  for (let until = place; ; )
    try {
      return { joined: joinBefore(graph, until), conflict }
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error
      conflict ??= error
      until = (graph.schedule.find(error.later) as PlannedStep<Step>).place
    }
}
