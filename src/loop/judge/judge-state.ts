import { setMaxListeners } from 'node:events'
import type { Agent, JudgedWork } from '../../agents/agent.ts'
import { createState } from '../files/workspace.ts'
import { type Branch, rootBranch } from '../state/branch.ts'
import type { TrialState } from '../state/trial-state.ts'

/** The role of all judges. */
export const judgeRole = 'judge'

/**
 * Returns the state in which a judge is asked about the work of a trial. The judge shares the trial's journal and nothing else: neither
 * limits, tools, conversations and files of the method, nor its name. What it costs is on no method's bill.
 */
export function judgeState(
  trialState: TrialState,
  agent: Agent,
  path: string,
  { work, isSecret }: { work: JudgedWork; isSecret: boolean },
): { own: TrialState; branch: Branch } {
  const { run, trial, task, strategy } = trialState
  const callAbort = new AbortController()
  const signal = AbortSignal.any([run.signal, callAbort.signal])
  setMaxListeners(0, signal)
  const branch = {
    ...rootBranch(task, signal),
    path,
    clock: trialState.root.clock,
    state: createState(task.files),
  }
  const { tools: _, match: __, ...method } = trial.cell.method
  const own: TrialState = {
    ...trialState,
    trial: {
      ...trial,
      cell: { ...trial.cell, method: { ...method, label: '' }, limits: {}, askLimits: undefined },
    },
    // A judge is not told whose work it reads.
    strategy: { ...strategy, name: '' },
    roles: { [judgeRole]: 'judge' },
    agents: { [judgeRole]: agent },
    judgedWork: work,
    callAbort,
    pendingCalls: new Set(),
    secret: trialState.secret || isSecret,
    asked: [],
    toolSteps: [],
    candidates: undefined,
    reportedAlerts: new Set(),
    checkResults: new Map(),
    homes: new Map(),
    savedOutputs: new Map(),
    unawaitedEffects: undefined,
    openedBranches: [],
    root: branch,
    stopped: false,
    gaveUp: false,
    hasEnded: false,
  }
  // Why the trial itself broke, if it did, is no concern of its judges.
  delete own.broken
  delete own.onGiveUp
  return { own, branch }
}
