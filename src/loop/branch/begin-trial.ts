import { setMaxListeners } from 'node:events'
import type { Agent } from '../../agents/agent.ts'
import { includesRecorded, includesSimulated } from '../../agents/paid-or-simulated.ts'
import { sameAnswerOf } from '../../graders/same-answer.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { needsJudges, type Task } from '../../schema/task.ts'
import type { Strategy } from '../../strategy.ts'
import { emptyBill } from '../budget/spending.ts'
import { openTrialJournal, type PastTrial } from '../journal/ledger-index.ts'
import { rolesOf } from '../plan/row-agents.ts'
import { newBranch } from './branch.ts'
import type { RunState, TrialState } from './trial-state.ts'
import { createState } from './workspace.ts'

/** Opens a trial, after what earlier sessions left of it. */
export async function openTrial(
  run: RunState,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: PastTrial | undefined,
): Promise<TrialState> {
  const { method, agentSet } = trial.cell
  const sameAnswer = await sameAnswerOf(task)
  const callAbort = run.userCode || method.tools ? new AbortController() : undefined
  const agents = run.agents.get(rowName(method.label, agentSet)) ?? {}
  const judges = needsJudges(task.spec) ? run.judges : []
  const signal = callAbort ? eitherSignal(run.signal, callAbort.signal) : run.signal
  return beginTrial(signal, {
    run,
    plan: {
      trial,
      task,
      strategy,
      agents,
      taskRef: refOfVersion(trial.cell.task),
      roles: rolesOf(strategy, method.options),
      options: method.options,
      sameAnswer,
    },
    journal: openTrialJournal(recorded),
    bill: {
      simulated: includesSimulated([...Object.values<Agent>(agents), ...judges]),
      recorded: includesRecorded(Object.values<Agent>(agents)),
      paid: false,
      reportedAlerts: new Set(),
    },
    people: {
      counts: { approvals: 0, guidance: 0, sets: 0 },
      approvals: 0,
      taken: new Set(recorded?.taken),
    },
    callAbort,
    candidates:
      run.gradeCandidates || (strategy.gradesCandidates && !needsJudges(task.spec)) ? [] : undefined,
    unawaitedEffects: run.userCode && method.file !== undefined ? new Set() : undefined,
  })
}

/** Returns a signal that aborts with any of these. */
export function eitherSignal(...signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals)
  // Every call of a trial listens to it.
  setMaxListeners(0, signal)
  return signal
}

/** Begins a trial in its root branch. */
export function beginTrial(
  signal: AbortSignal,
  parts: Pick<
    TrialState,
    'run' | 'plan' | 'journal' | 'bill' | 'people' | 'callAbort' | 'candidates' | 'unawaitedEffects'
  >,
): TrialState {
  const trialState = {
    // As in `newBranch`, no spread.
    run: parts.run,
    plan: parts.plan,
    journal: parts.journal,
    bill: parts.bill,
    people: parts.people,
    callAbort: parts.callAbort,
    candidates: parts.candidates,
    unawaitedEffects: parts.unawaitedEffects,
    phase: 'running',
    hasEnded: false,
    abandoned: new AbortController(),
    pendingCalls: new Set(),
    checkResults: new Map(),
    homes: new Map(),
    samples: new Map(),
    openedBranches: [],
    revisions: { asks: 0, changed: 0 },
    repairedData: new Map(),
  } as Omit<TrialState, 'root'> as TrialState
  trialState.root = newBranch({
    trialState,
    path: '',
    openedAt: [],
    clock: 0,
    bill: emptyBill(),
    iteration: undefined,
    signal,
    lost: false,
    refusals: 0,
    state: createState(parts.plan.task.files),
  })
  return trialState
}
