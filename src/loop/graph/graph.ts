import type { GraphOptions, StepResult } from '../../graph.ts'
import { adoptState } from '../files/workspace.ts'
import { type Branch, forkBranch, nextKey } from '../state/branch.ts'
import { mergeMembers, runBranch } from '../state/branch-group.ts'
import type { TrialState } from '../state/trial-state.ts'
import { beginStep } from './begin-step.ts'
import { endStep } from './end-step.ts'
import { finish, sortMembers } from './finish.ts'
import type { GraphRun } from './graph-run.ts'
import { nextEnd } from './next-end.ts'
import { openGraph } from './open-graph.ts'
import type { Step } from './step.ts'

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
  const key = nextKey(branch, 'graph()')
  const child = forkBranch(branch, 'graph', branch.signal)
  try {
    return await runBranch(branch, child, () => {
      return runGraph(openGraph(trialState, child, key, steps, options, contextOf))
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
