import { dataCleaner } from '../../replies/clean-data.ts'
import { AgentError, ConflictError, LimitError } from '../../text/errors.ts'
import { DivergenceError } from '../state/recorded-steps.ts'
import { checkAdded } from './check-graph.ts'
import type { Ended, GraphRun, RunningStep } from './graph-run.ts'
import { stepEnd } from './join/join.ts'
import { ownSteps } from './own-steps.ts'
import type { PlannedStep } from './schedule.ts'
import type { Step } from './step.ts'

/** Notes what a step came to, frees its slot, and decides what becomes of the steps that depend on it. */
export function endStep(graph: GraphRun, { running, end }: Ended): void {
  const { planned, branch, start, unjoined, beganAt } = running
  graph.running.delete(planned.step.id)
  graph.ends.set(planned.index, stepEnd(planned, start, branch, unjoined))
  if (!('value' in end) || branch.refused) {
    failStep(graph, running, branch.refused?.error ?? ('error' in end ? end.error : undefined))
    return
  }
  graph.results.set(planned.step.id, { status: 'done', value: end.value })
  graph.events.stepEnd(planned, branch.clock, branch.clock - beganAt)
  graph.schedule.end(planned, 'done', branch.clock, true)
  try {
    const more = planned.step.expand?.(end.value)
    if (more) addSteps(graph, planned, more, branch.clock)
  } catch (error) {
    // A mistake of the method: no further step begins.
    stop(graph, planned, error)
  }
}

function failStep(graph: GraphRun, { planned, branch, beganAt }: RunningStep, error: unknown): void {
  // The ends that the journal has behind it would only hide what differs.
  if (error instanceof DivergenceError) throw error
  const { onFailure = 'fail', id } = planned.step
  graph.results.set(id, { status: 'failed', error })
  graph.trialState.unfinishedSteps.add(branch.path)
  const isRefused = branch.refused !== undefined
  const isExpected =
    error instanceof AgentError || error instanceof LimitError || error instanceof ConflictError
  const reaction = !isExpected ? 'stop' : isRefused ? 'skip' : onFailure === 'fail' ? 'stop' : onFailure
  const limit = isRefused && error instanceof LimitError ? error.limit : undefined
  const durationMs = branch.clock - beganAt
  graph.events.stepFail(planned, branch.clock, { durationMs, error, reaction, limit })
  if (reaction === 'stop') stop(graph, planned, error)
  const goOn = reaction === 'continue'
  for (const skipped of graph.schedule.end(planned, 'failed', branch.clock, goOn))
    graph.events.stepSkip(skipped.planned, branch.clock, skipped.because)
}

function stop(graph: GraphRun, planned: PlannedStep<Step>, error: unknown): void {
  graph.failed ??= { planned, error }
  graph.stoppedBy.push(planned)
  graph.schedule.stop()
}

function addSteps(
  { schedule, events, trialState }: GraphRun,
  planned: PlannedStep<Step>,
  more: NonNullable<ReturnType<NonNullable<Step['expand']>>>,
  at: number,
): void {
  const { steps, before = [] } = more
  checkAdded(planned, { steps, before }, schedule.steps, schedule.find)
  if (steps.length === 0) return
  const added = schedule.insert(planned, ownSteps(steps, dataCleaner(trialState.run.redact)), before)
  events.stepsAdded(planned, at, added, before)
}
