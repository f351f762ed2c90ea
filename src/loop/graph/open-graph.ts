import type { GraphOptions } from '../../graph.ts'
import type { GraphPlanStep } from '../../schema/ledger/step.ts'
import { digest } from '../../text/canonical-json.ts'
import { stepHead } from '../journal/journal.ts'
import type { Branch } from '../state/branch.ts'
import { openGroup } from '../state/branch-group.ts'
import type { GraphPlan } from '../state/plan-difference.ts'
import { takeBranchStep } from '../state/recorded-steps.ts'
import type { TrialState } from '../state/trial-state.ts'
import type { GraphRun } from './graph-run.ts'
import { createSchedule } from './schedule.ts'
import { scheduleEvents } from './schedule-events.ts'
import type { Step } from './step.ts'

const defaultConcurrency = 4

/** Opens a graph in its branch, and journals its plan under the key that it has in the branch that called it. */
export function openGraph(
  trialState: TrialState,
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
    ...{ trialState, branch, concurrency, conflict, contextOf },
    hash: journalPlan(trialState, branch, key, plan),
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
    events: scheduleEvents(trialState, branch),
  }
}

function journalPlan(trialState: TrialState, branch: Branch, key: string, plan: GraphPlan): string {
  const hash = digest({ graph: plan })
  const recorded = takeBranchStep(trialState, branch, key, 1, hash, () => JSON.stringify(plan))
  if (recorded) return hash
  const line: GraphPlanStep = { ...stepHead(trialState, 'graph-plan', key, hash, branch.clock), ...plan }
  trialState.run.journal?.step(line, trialState.ledgerChecksum)
  return hash
}
