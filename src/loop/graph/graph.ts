import type { GraphOptions, StepResult } from '../../graph.ts'
import { dataCleaner } from '../../replies/clean-data.ts'
import type { GraphPlanStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { ConflictError } from '../../text/errors.ts'
import { branchName, forkBranch, nextKey } from '../branch/branch.ts'
import {
  addMember,
  type MemberEnd,
  mergeMembers,
  openGroup,
  runBranch,
  runMember,
} from '../branch/branch-group.ts'
import { stepHead, takeBranchStep, writeStep } from '../branch/recorded-steps.ts'
import type { GraphPlan } from '../branch/step-difference.ts'
import type { Branch } from '../branch/trial-state.ts'
import { adoptState, forkState } from '../branch/workspace.ts'
import { checkGraph, ownSteps } from './check-graph.ts'
import { endStep, nextEnd } from './end-step.ts'
import { type GraphRun, type RunningStep, scheduleEvents } from './graph-run.ts'
import { joinSteps, unjoinedStart } from './join.ts'
import type { Joined } from './joined.ts'
import { createSchedule, type PlannedStep, type Started, type Step } from './schedule.ts'

/**
 * Runs the steps of a graph, each in its own branch, as soon as those that it depends on have ended and a slot is free. Its
 * files, clock and bill begin with the join of all steps that it depends on. The branch takes over the files of all of them.
 */
export async function graph(
  branch: Branch,
  steps: readonly Step[],
  options: GraphOptions,
  contextOf: GraphRun['contextOf'],
): Promise<ReadonlyMap<string, StepResult>> {
  checkGraph(steps, options)
  const own = ownSteps(steps, dataCleaner(branch.trialState.run.redact))
  const key = nextKey(branch, 'graph()')
  const child = forkBranch(branch, 'graph', branch.signal)
  try {
    return await runBranch(branch, child, () => {
      return runGraph(openGraph(child, key, own, options, contextOf))
    })
  } finally {
    if (!branch.ended) adoptState(branch.state, child.state)
  }
}

async function runGraph(graph: GraphRun): Promise<ReadonlyMap<string, StepResult>> {
  const { branch, group, schedule, running } = graph
  branch.group = group
  try {
    for (;;) {
      for (let next = schedule.start(); next; next = schedule.start()) beginStep(graph, next)
      if (running.size === 0) break
      endStep(graph, await nextEnd(graph))
    }
  } finally {
    await Promise.all([...running.values()].map(({ work }) => work))
    branch.group = undefined
    sortMembers(graph)
    mergeMembers(branch, group)
    group.finish()
  }
  return finish(graph)
}

function beginStep(graph: GraphRun, started: Started<Step>): void {
  const { branch, group, running, begun, events, concurrency } = graph
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
    return planned.step.run(graph.contextOf(child), inputs)
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

/** Puts the branches of the steps in plan order, so that bills are added, and equal refusals found, in that order. */
function sortMembers({ group, begun }: GraphRun): void {
  group.members.sort((a, b) => placeOf(begun.get(a.branch)) - placeOf(begun.get(b.branch)))
}

const placeOf = (planned: PlannedStep<Step> | undefined) => planned?.place ?? 0

/**
 * Returns the results, in plan order, with the files of all steps. After failures it throws the first, and the files are
 * those of the steps before all of them in plan order; the same after the first refusal on the clock.
 */
function finish(graph: GraphRun): ReadonlyMap<string, StepResult> {
  const { branch, schedule, results, failed } = graph
  for (const { step, status } of schedule.steps)
    if (status === 'skipped' || status === 'waiting') {
      results.set(step.id, { status: 'skipped' })
      graph.trialState.journal.unfinishedSteps.add(`${branch.path}/${branchName(step.id)}`)
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

const defaultConcurrency = 4

/** Opens a graph in its branch, and journals its plan under the key that it has in the branch that called it. */
function openGraph(
  branch: Branch,
  key: string,
  steps: readonly Step[],
  { concurrency = defaultConcurrency, conflict = 'fail' }: GraphOptions,
  contextOf: GraphRun['contextOf'],
): GraphRun {
  const plan: GraphPlan = {
    concurrency,
    conflict,
    steps: steps.map(({ id, after, onFailure, conflict }) => ({
      ...{ id, after: [...after] },
      ...(onFailure && { onFailure }),
      ...(conflict && { conflict }),
    })),
  }
  const { state, clock, bill } = branch
  return {
    ...{ trialState: branch.trialState, branch, concurrency, conflict, contextOf },
    hash: journalPlan(branch, key, plan),
    group: openGroup(),
    schedule: createSchedule(steps, concurrency, clock),
    running: new Map(),
    ended: [],
    onEnd() {},
    begun: new Map(),
    stoppedBy: [],
    ends: new Map(),
    results: new Map(),
    begin: { state, bill: { ...bill }, clock, writers: new Map(), merged: [] },
    events: scheduleEvents(branch),
  }
}

function journalPlan(branch: Branch, key: string, plan: GraphPlan): string {
  const hash = digest({ graph: plan })
  const recorded = takeBranchStep(branch, key, 1, hash, () => JSON.stringify(plan))
  if (recorded) return hash
  const line: GraphPlanStep = {
    ...stepHead(branch.trialState, 'graph-plan', key, hash, branch.clock),
    ...plan,
  }
  writeStep(branch.trialState, line)
  return hash
}
