import type { StepResult } from '../../graph.ts'
import { forkState } from '../files/workspace.ts'
import { forkBranch } from '../state/branch.ts'
import { addMember, type MemberEnd, runMember } from '../state/branch-group.ts'
import type { GraphRun, RunningStep } from './graph-run.ts'
import { joinSteps, unjoinedStart } from './join/join.ts'
import type { Joined } from './join/joined.ts'
import type { PlannedStep, Started } from './schedule.ts'
import type { Step } from './step.ts'

/** Begins a step in its own branch, with the join of all that it depends on. */
export function beginStep(graph: GraphRun, started: Started<Step>): void {
  const { trialState, branch, group, running, begun, events, concurrency } = graph
  const { planned, from } = started
  const child = forkBranch(branch, planned.step.id, branch.signal)
  const joining = attempt(() => joinNeeds(graph, planned))
  const start = 'value' in joining ? joining.value : unjoinedStart(graph.begin, planned.needs, graph.ends)
  // All steps stand beside each other, whatever had ended when they began.
  child.openedAt = [...branch.openedAt, 0, 0]
  child.clock = Math.max(start.clock, from)
  child.bill = { ...start.bill }
  child.state = forkState(start.state)
  addMember(group, child)
  begun.set(child, planned)
  events.stepStart(started, child.clock, { running: running.size + 1, concurrency })
  const inputs = new Map(planned.needs.flatMap((need) => inputOf(graph, need)))
  const work = runMember(group, child, async () => {
    if ('error' in joining) throw joining.error
    return planned.step.run(graph.contextOf(trialState, child), inputs)
  })
  const step: RunningStep = {
    planned,
    branch: child,
    start,
    beganAt: child.clock,
    unjoined: 'error' in joining,
    work: work.then((end) => {
      graph.ended.push({ running: step, end })
      graph.onEnd()
    }),
  }
  running.set(planned.step.id, step)
}

const inputOf = ({ results }: GraphRun, { step: { id } }: PlannedStep<Step>): [string, StepResult][] => {
  const result = results.get(id)
  return result ? [[id, result]] : []
}

const joinNeeds = ({ begin, ends, conflict }: GraphRun, joiner: PlannedStep<Step>): Joined =>
  joinSteps(joiner.needs, { begin, ends, policy: joiner.step.conflict ?? conflict, joiner })

function attempt<T>(work: () => T): MemberEnd<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
