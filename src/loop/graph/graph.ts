import type { GraphEndStep } from '../../schema/ledger/step.ts'
import type { GraphOptions, GraphStep, StepResult, StrategyContext } from '../../strategy.ts'
import { digest } from '../../text/canonical-json.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { adoptState, forkState } from '../files/workspace.ts'
import { stepHead } from '../journal/journal.ts'
import { type Branch, forkBranch, type Group, requireIdle } from '../state/branch.ts'
import {
  addMember,
  type MemberEnd,
  mergeMembers,
  openGroup,
  runBranch,
  runMember,
} from '../state/branch-group.ts'
import { Interrupted, isInterrupted, type TrialState, takeBranchStep } from '../state/trial-state.ts'
import { createClosure } from './closure.ts'
import { type Joined, joinSteps, type StepEnd, stepEnd } from './join.ts'
import { createSchedule, type PlannedStep, type Schedule } from './schedule.ts'
import { type ScheduleEvents, scheduleEvents } from './schedule-events.ts'

// Each strategy has its own roles and options; `ask` checks the role.
// biome-ignore lint/suspicious/noExplicitAny: see the line above
type Context = StrategyContext<any, any>
// biome-ignore lint/suspicious/noExplicitAny: see above; a step gives any value
type Step = GraphStep<any, any, any>

const defaultConcurrency = 4

/** The mutable state of a graph that runs. */
interface GraphRun {
  trialState: TrialState
  /** Its bill, clock and files are those of the graph when it began; steps are branches under it. */
  branch: Branch
  group: Group
  schedule: Schedule<Step>
  running: Map<PlannedStep<Step>, RunningStep>
  ends: Map<number, StepEnd>
  results: Map<string, StepResult>
  begin: Joined
  conflict: NonNullable<GraphOptions['conflict']>
  hash: string
  events: ScheduleEvents
  contextOf: (trialState: TrialState, branch: Branch) => Context
  /** The first failure, in the order of completion, that ends the graph. */
  failed?: { planned: PlannedStep<Step>; error: unknown }
}

interface RunningStep {
  planned: PlannedStep<Step>
  branch: Branch
  start: Joined
  ended: Promise<Ended>
}

interface Ended {
  running: RunningStep
  end: MemberEnd<unknown>
}

/**
 * Runs the steps of a graph, each in its own branch, as soon as those that it depends on have ended and a slot is free. Its
 * files, clock and bill begin with the join of all steps that it depends on. The branch takes over the files of all of them.
 */
export async function graph(
  trialState: TrialState,
  branch: Branch,
  steps: readonly Step[],
  options: GraphOptions,
  contextOf: GraphRun['contextOf'],
): Promise<ReadonlyMap<string, StepResult>> {
  requireIdle(branch, 'graph()')
  const child = forkBranch(branch, 'graph', branch.signal)
  try {
    return await runBranch(branch, child, () =>
      runGraph(openGraph(trialState, child, steps, options, contextOf)),
    )
  } finally {
    if (!branch.ended) adoptState(branch.state, child.state)
  }
}

function openGraph(
  trialState: TrialState,
  branch: Branch,
  steps: readonly Step[],
  { concurrency = defaultConcurrency, conflict = 'fail' }: GraphOptions,
  contextOf: GraphRun['contextOf'],
): GraphRun {
  const shape = steps.map(({ id, after, onFailure }) => ({ id, after, onFailure }))
  return {
    ...{ trialState, branch, conflict, contextOf },
    group: openGroup(),
    schedule: createSchedule(steps, concurrency, branch.clock),
    running: new Map(),
    ends: new Map(),
    results: new Map(),
    begin: { state: branch.state, bill: { ...branch.bill }, clock: branch.clock, writers: new Map() },
    hash: digest({ graph: shape, concurrency, conflict }),
    events: scheduleEvents(trialState, branch),
  }
}

async function runGraph(graph: GraphRun): Promise<ReadonlyMap<string, StepResult>> {
  const { branch, group, schedule, running } = graph
  branch.group = group
  try {
    for (;;) {
      for (let next = schedule.start(); next; next = schedule.start())
        beginStep(graph, next.planned, next.from)
      if (running.size === 0) break
      endStep(graph, await nextEnd(graph))
    }
  } finally {
    await Promise.all([...running.values()].map(({ ended }) => ended))
    branch.group = undefined
    mergeMembers(branch, group)
    group.finish()
  }
  return finish(graph)
}

function beginStep(graph: GraphRun, planned: PlannedStep<Step>, from: number): void {
  const { trialState, branch, group, running, events } = graph
  const child = forkBranch(branch, planned.step.id, branch.signal)
  let start = graph.begin
  const joining = attempt(() => joinNeeds(graph, planned))
  if ('value' in joining) start = joining.value
  // All steps stand beside each other, whatever had ended when they began.
  child.openedAt = [...branch.openedAt, 0, 0]
  child.clock = Math.max(start.clock, from)
  child.bill = { ...start.bill }
  child.state = forkState(start.state)
  addMember(group, child)
  events.stepStart(planned, child.clock, running.size + 1)
  const inputs = new Map(planned.needs.flatMap((need) => inputOf(graph, need)))
  const ended = runMember(group, child, async () => {
    if ('error' in joining) throw joining.error
    return planned.step.run(graph.contextOf(trialState, child), inputs)
  })
  const step: RunningStep = {
    planned,
    branch: child,
    start,
    ended: ended.then((end) => ({ running: step, end })),
  }
  running.set(planned, step)
}

const inputOf = ({ results }: GraphRun, { step: { id } }: PlannedStep<Step>): [string, StepResult][] => {
  const result = results.get(id)
  return result ? [[id, result]] : []
}

/** Joins what a step depends on: the longest chain as it ended, and the others in plan order. */
function joinNeeds({ begin, ends, conflict }: GraphRun, { needs, closure }: PlannedStep<Step>): Joined {
  const longest = needs.reduce<PlannedStep<Step> | undefined>(
    (most, need) => (most && most.closure.size >= need.closure.size ? most : need),
    undefined,
  )
  const held = createClosure()
  if (longest) held.add(longest.index, longest.closure)
  const base = longest ? (ends.get(longest.index)?.end ?? begin) : begin
  return joinSteps(base, inPlanOrder(closure.without(held), ends), conflict)
}

const inPlanOrder = (indexes: readonly number[], ends: ReadonlyMap<number, StepEnd>) =>
  indexes.flatMap((index) => ends.get(index) ?? []).sort((a, b) => a.planned.place - b.planned.place)

/** Waits for the step that ends next: the journaled one, in live mode the first, in dev mode the first on the clock, ties by id. */
async function nextEnd(graph: GraphRun): Promise<Ended> {
  const { trialState, branch, running, hash } = graph
  const key = `${branch.path}#${branch.counter}`
  // An interrupted trial writes no step; what is in flight still ends.
  if (isInterrupted(trialState)) await Promise.all([...running.values()].map(({ ended }) => ended))
  const step = takeBranchStep(
    trialState,
    branch,
    key,
    1,
    hash,
    () => `the next of ${running.size} running steps ends`,
  )
  branch.counter++
  if (step?.kind === 'graph') {
    const recorded = [...running.values()].find(({ planned }) => planned.step.id === step.step)
    if (!recorded) throw new Error(`[graph] step "${step.step}" ended next, but it is not running now`)
    return recorded.ended
  }
  const ended =
    trialState.run.mode === 'live'
      ? await Promise.race([...running.values()].map(({ ended }) => ended))
      : firstOnClock(await Promise.all([...running.values()].map(({ ended }) => ended)))
  if (isInterrupted(trialState)) throw new Interrupted()
  const { running: one } = ended
  const line: GraphEndStep = {
    ...stepHead(trialState, 'graph', key, hash, one.start.clock),
    durationMs: one.branch.clock - one.start.clock,
    step: one.planned.step.id,
  }
  trialState.run.journal?.step(line, trialState.ledgerChecksum)
  return ended
}

const firstOnClock = (ended: readonly Ended[]): Ended =>
  ended.reduce((first, one) => (isBefore(one.running, first.running) ? one : first))

const isBefore = (one: RunningStep, other: RunningStep) =>
  one.branch.clock < other.branch.clock ||
  (one.branch.clock === other.branch.clock && one.planned.step.id < other.planned.step.id)

function endStep(graph: GraphRun, { running: { planned, branch, start }, end }: Ended): void {
  const { schedule, running, results, ends, events } = graph
  running.delete(planned)
  const refused = branch.refused?.error
  const { onFailure = 'fail', id } = planned.step
  ends.set(planned.index, stepEnd(planned, start, branch))
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
  const isFatal = !(error instanceof AgentError || error instanceof LimitError)
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

/** Returns the results, with the files of all steps. After a failure the files are those of the steps before the failed one. */
function finish(graph: GraphRun): ReadonlyMap<string, StepResult> {
  const { branch, schedule, results, ends, begin, conflict, failed } = graph
  const refused = schedule.steps.find(
    ({ index }) => ends.get(index)?.end && isRefused(results, index, schedule),
  )
  const until = failed?.planned.place ?? refused?.place ?? Number.POSITIVE_INFINITY
  const ended = inPlanOrder([...ends.keys()], ends).filter(({ planned }) => planned.place < until)
  for (const { step, status } of schedule.steps)
    if (status === 'skipped' || status === 'waiting') results.set(step.id, { status: 'skipped' })
  adoptState(branch.state, joinSteps(begin, ended, conflict).state)
  if (branch.refused) throw branch.refused.error
  if (failed) throw failed.error
  return results
}

function isRefused(
  results: ReadonlyMap<string, StepResult>,
  index: number,
  { steps }: Schedule<Step>,
): boolean {
  const planned = steps.find((one) => one.index === index)
  const result = planned && results.get(planned.step.id)
  return result?.status === 'failed' && result.error instanceof LimitError
}

function attempt<T>(work: () => T): MemberEnd<T> {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}
