import { AgentError, LimitError } from '../../text/errors.ts'
import { ConflictError } from './conflict.ts'
import type { Ended, GraphRun, Step } from './graph-run.ts'
import { stepEnd } from './join.ts'
import type { PlannedStep } from './schedule.ts'

/** Notes what a step came to, frees its slot, and decides what becomes of the steps that depend on it. */
export function endStep(
  graph: GraphRun,
  { running: { planned, branch, start, unjoined }, end }: Ended,
): void {
  const { schedule, running, results, ends, events } = graph
  running.delete(planned)
  const refused = branch.refused?.error
  const { onFailure = 'fail', id } = planned.step
  ends.set(planned.index, stepEnd(planned, start, branch, unjoined))
  if ('value' in end && !refused) {
    results.set(id, { status: 'done', value: end.value })
    schedule.end(planned, 'done', branch.clock, true)
    events.stepEnd(planned, branch.clock)
    expand(graph, planned, end.value)
    return
  }
  const error = refused ?? ('error' in end ? end.error : undefined)
  results.set(id, { status: 'failed', error })
  events.stepFail(planned, branch.clock, error)
  const isFatal = !(
    error instanceof AgentError ||
    error instanceof LimitError ||
    error instanceof ConflictError
  )
  if (isFatal || (onFailure === 'fail' && !refused)) {
    graph.failed ??= { planned, error }
    schedule.stop()
  }
  schedule.end(planned, 'failed', branch.clock, !isFatal && !refused && onFailure === 'continue')
}

function expand({ schedule }: GraphRun, planned: PlannedStep<Step>, value: unknown): void {
  const more = planned.step.expand?.(value)
  if (more && more.steps.length > 0) schedule.insert(planned, more.steps, more.before ?? [])
}
