import type { GraphOptions, StepResult } from '../../graph.ts'
import { digest } from '../../text/canonical-json.ts'
import { adoptState } from '../files/workspace.ts'
import { type Branch, forkBranch, requireIdle } from '../state/branch.ts'
import { mergeMembers, openGroup, runBranch } from '../state/branch-group.ts'
import type { TrialState } from '../state/trial-state.ts'
import { beginStep } from './begin-step.ts'
import { endStep } from './end-step.ts'
import { finish, sortMembers } from './finish.ts'
import type { GraphRun, Step } from './graph-run.ts'
import { nextEnd } from './next-end.ts'
import { createSchedule } from './schedule.ts'
import { scheduleEvents } from './schedule-events.ts'

const defaultConcurrency = 4

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
  const shape = steps.map(({ id, after, onFailure, conflict }) => ({ id, after, onFailure, conflict }))
  return {
    ...{ trialState, branch, conflict, contextOf },
    group: openGroup(),
    schedule: createSchedule(steps, concurrency, branch.clock),
    running: new Map(),
    begun: new Map(),
    ends: new Map(),
    results: new Map(),
    begin: {
      state: branch.state,
      bill: { ...branch.bill },
      clock: branch.clock,
      writers: new Map(),
      merged: [],
    },
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
    sortMembers(graph)
    mergeMembers(branch, group)
    group.finish()
  }
  return finish(graph)
}
