import { dataCleaner } from '../../replies/clean-data.ts'
import type { GraphEndStep, Step as LedgerStep } from '../../schema/ledger/step.ts'
import { AgentError, ConflictError, LimitError } from '../../text/errors.ts'
import {
  DivergenceError,
  divergence,
  Interrupted,
  isInterrupted,
  stepHead,
  takeBranchStep,
  writeStep,
} from '../branch/recorded-steps.ts'
import { checkAdded, ownSteps } from './check-graph.ts'
import type { Ended, GraphRun, RunningStep } from './graph-run.ts'
import { stepEnd } from './join.ts'
import type { PlannedStep, Step } from './schedule.ts'

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
  graph.trialState.journal.unfinishedSteps.add(branch.path)
  const isRefused = branch.refused !== undefined
  const isExpected =
    error instanceof AgentError || error instanceof LimitError || error instanceof ConflictError
  const reaction = !isExpected ? 'stop' : isRefused ? 'skip' : onFailure === 'fail' ? 'stop' : onFailure
  const limit = isRefused && error instanceof LimitError ? error.limit : undefined
  const durationMs = branch.clock - beganAt
  graph.events.stepFail(planned, branch.clock, error, {
    ...{ durationMs, reaction },
    ...(limit !== undefined && { limit }),
  })
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

/** Waits for the step that ends next: the journaled one, in live mode the first, in dev mode the first on the clock, ties by id. */
export async function nextEnd(graph: GraphRun): Promise<Ended> {
  const { trialState, branch, running, hash } = graph
  const key = `${branch.path}#${branch.counter}`
  // An interrupted trial writes no step; what is in flight still ends.
  if (isInterrupted(trialState)) await untilEnded(graph, running.size)
  const recorded = recordedEnd(graph, key)
  const step = takeBranchStep(
    branch,
    key,
    1,
    hash,
    () => `the next of the running steps ends: ${[...running.keys()].join(', ')}`,
  )
  branch.counter++
  if (step && recorded) {
    await recorded.work
    return take(
      graph,
      graph.ended.findIndex(({ running }) => running === recorded),
    )
  }
  const isLive = trialState.run.mode === 'live'
  await untilEnded(graph, isLive ? 1 : running.size)
  // The branch may have lost a `first` meanwhile.
  if (isInterrupted(trialState) || branch.lost) throw new Interrupted()
  const ended = take(graph, isLive ? 0 : firstOnClock(graph.ended))
  writeEnd(graph, key, ended.running)
  return ended
}

/** Returns the running step that the journal says ended next. Another step than any that runs is a divergence. */
function recordedEnd(
  { trialState, running, schedule, hash }: GraphRun,
  key: string,
): RunningStep | undefined {
  const { steps } = trialState.journal.recorded ?? { steps: new Map<string, LedgerStep>() }
  const recorded = steps.get(`${key}/1`)
  if (recorded?.kind !== 'graph' || recorded.hash !== hash) return undefined
  const found = running.get(recorded.step)
  if (found) return found
  const status = schedule.find(recorded.step)?.status
  const now = status ? `it is ${status} now` : 'it is not in the graph now'
  const known = new Set([...steps.values()].map((step) => step.kind === 'graph' && step.step))
  const strange = [...running.keys()].filter((id) => !known.has(id)).map((id) => `"${id}"`)
  const runs = strange.length > 0 ? `; ${strange.join(', ')} runs now, of which the journal knows no end` : ''
  divergence(
    trialState,
    { key, attempt: 1, hash },
    `the journal says that step "${recorded.step}" ended; ${now}${runs}`,
  )
  return undefined
}

function writeEnd(
  { trialState, hash }: GraphRun,
  key: string,
  { planned, branch, beganAt }: RunningStep,
): void {
  const line: GraphEndStep = {
    ...stepHead(trialState, 'graph', key, hash, beganAt),
    durationMs: branch.clock - beganAt,
    step: planned.step.id,
  }
  const { mode, journal } = trialState.run
  writeStep(trialState, line)
  // In live mode the order cannot be found again: it is written before anything follows from it.
  if (mode === 'live') journal?.flush()
}

async function untilEnded(graph: GraphRun, count: number): Promise<void> {
  while (graph.ended.length < count)
    await new Promise<void>((resolve) => {
      graph.onEnd = resolve
    })
}

function firstOnClock(ended: readonly Ended[]): number {
  const first = ended.reduce((first, one) => (isBefore(one.running, first.running) ? one : first))
  return ended.indexOf(first)
}

function take({ ended }: GraphRun, place: number): Ended {
  const [taken] = ended.splice(place, 1)
  if (!taken) throw new Error('[graph] the step that ends next has not ended')
  return taken
}

const isBefore = (one: RunningStep, other: RunningStep) =>
  one.branch.clock < other.branch.clock ||
  (one.branch.clock === other.branch.clock && one.planned.step.id < other.planned.step.id)
