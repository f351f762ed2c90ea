import { setMaxListeners } from 'node:events'
import type { Agent } from '../../agents/agent.ts'
import { includesSimulated } from '../../agents/paid-or-simulated.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import { refOfVersion } from '../../schema/run/task-version.ts'
import { needsJudges, type Task } from '../../schema/task.ts'
import type { Strategy, StrategyResult } from '../../strategy.ts'
import { AgentError, asError } from '../../text/errors.ts'
import { removeHomes } from '../ask/agent-request.ts'
import { lostStep } from '../ask/send.ts'
import { type Branch, rootBranch } from '../branch/branch.ts'
import { joinUnfinished } from '../branch/branch-group.ts'
import { validateResult } from '../branch/check-result.ts'
import { DivergenceError, Interrupted, isInterrupted } from '../branch/recorded-steps.ts'
import type { RunState, TrialState } from '../branch/trial-state.ts'
import { awaitStrayThrows, forgetTrial, noteThrowPlace, runUserCode } from '../branch/user-code.ts'
import { Cancelled } from '../effects/approval.ts'
import { clearOutputs, saveOutputs } from '../effects/outputs.ts'
import { emptyLedgerChecksum } from '../journal/checksum.ts'
import type { PastTrial } from '../journal/ledger-index.ts'
import { rolesOf } from '../plan/row-agents.ts'
import { contextOf } from './context.ts'
import { resolveOptions } from './matched-attempts.ts'
import { outcomeOf } from './outcome.ts'

/** A trial whose method has ended, to be graded. */
export interface PlayedTrial {
  trialState: TrialState
  outcome: Outcome
  /** Undefined when the method did not return. */
  result: StrategyResult | undefined
  /** Milliseconds since 1970. */
  startedAt: number
}

/** Runs a trial's method to its outcome. Throws `Interrupted` when the run is aborted; the trial has no record then. */
export async function playTrial(
  run: RunState,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: PastTrial | undefined,
  budget?: () => MatchedBudget,
): Promise<PlayedTrial> {
  const startedAt = Date.now()
  const trialState = openTrial(run, trial, task, strategy, recorded)
  trialState.root.onShared = () => saveOutputs(trialState)
  // Without this, what an earlier session wrote would stay even if the method does not write it again.
  if (recorded) clearOutputs(trialState)
  for (const intent of recorded?.lost ?? []) run.journal?.step(lostStep(intent), trialState.ledgerChecksum)
  run.running.push(trialState)
  try {
    if (trial.cell.method.match) Object.assign(trialState, resolveOptions(trialState, budget))
    const result = validateResult(await play(trialState), strategy.name, run.redact)
    await awaitUnfinished(trialState)
    return { trialState, outcome: outcomeOfEnd(trialState, result), result, startedAt }
  } catch (error) {
    await awaitUnfinished(trialState)
    return { trialState, outcome: outcomeOfFailure(trialState, asError(error)), result: undefined, startedAt }
  } finally {
    await releaseTrial(trialState)
  }
}

function openTrial(
  run: RunState,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: PastTrial | undefined,
): TrialState {
  const { method, agentSet } = trial.cell
  const callAbort = run.userCode || method.tools ? new AbortController() : undefined
  const agents = run.agents.get(rowName(method.label, agentSet)) ?? {}
  const judges = needsJudges(task.spec) ? run.judges : []
  return {
    run,
    trial,
    task,
    taskRef: refOfVersion(trial.cell.task),
    strategy,
    roles: rolesOf(strategy, method.options),
    agents,
    options: method.options,
    recorded,
    ledgerChecksum: recorded?.checksum ?? emptyLedgerChecksum(),
    stopped: false,
    callAbort,
    pendingCalls: new Set(),
    produced: 0,
    revisions: { asks: 0, changed: 0 },
    secret: false,
    // One simulated agent makes the trial's numbers simulated.
    simulated: includesSimulated([...Object.values<Agent>(agents), ...judges]),
    paid: false,
    asked: [],
    toolSteps: [],
    labelled: false,
    toolRuns: [],
    candidates: run.gradeCandidates && [],
    people: { approvals: 0, guidance: 0, sets: 0 },
    approvals: 0,
    taken: new Set(recorded?.taken),
    reportedAlerts: new Set(),
    checkResults: new Map(),
    homes: new Map(),
    savedOutputs: new Map(),
    divergences: [],
    begunAnew: [],
    unawaitedEffects: run.userCode && method.file !== undefined ? new Set() : undefined,
    openedBranches: [],
    unfinishedSteps: new Set(),
    root: rootBranch(task, callAbort ? eitherOf(run.signal, callAbort.signal) : run.signal),
    gaveUp: false,
    hasEnded: false,
  }
}

function eitherOf(...signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals)
  // Every call of the trial listens to it.
  setMaxListeners(0, signal)
  return signal
}

/** Returns the outcome of a method that returned. Throws when the trial was ended from outside. */
function outcomeOfEnd(
  { broken, stopped, root, aborted }: TrialState,
  { stopReason }: StrategyResult,
): Outcome {
  if (broken) throw broken
  if (stopped) throw new Interrupted()
  if (root.refused) return outcomeOf(root.refused.error)
  if (stopReason !== 'cancelled') return { status: 'completed', reason: '' }
  if (aborted !== undefined) return outcomeOf(new Cancelled(aborted))
  throw new Error(
    "it returned the stopReason cancelled, but no person aborted it: no approve(question, { onAbort: 'return' }) of this trial returned abort. Return halted instead.",
  )
}

/** Returns the outcome of a method that threw. Throws `Interrupted` when the trial was interrupted. */
function outcomeOfFailure(trialState: TrialState, error: Error): Outcome {
  if (trialState.broken && !trialState.stopped && !trialState.run.signal.aborted)
    return outcomeOf(trialState.broken)
  if (error instanceof Interrupted || isInterrupted(trialState)) throw new Interrupted()
  if (error instanceof DivergenceError) {
    trialState.divergences.push(error.message)
    return { status: 'error', reason: 'the replay diverged' }
  }
  const outcome = outcomeOf(trialState.root.refused?.error ?? error)
  if (error instanceof AgentError && error.reason === 'request' && isUnanswered(trialState))
    return { ...outcome, status: 'error' }
  if (outcome.status === 'failed' && !(error instanceof AgentError)) noteThrowPlace(trialState, error)
  return outcome
}

/** Whether no ask of a trial was answered: then a server that rejects its requests says nothing about the method. */
const isUnanswered = ({ asked }: TrialState) => asked.every(({ step }) => step.error !== undefined)

/** Ends a trial after its method: code that the method left running cannot begin effects. */
async function releaseTrial(trialState: TrialState): Promise<void> {
  trialState.hasEnded = true
  const { running } = trialState.run
  running.splice(running.indexOf(trialState), 1)
  if (trialState.run.userCode) forgetTrial(trialState)
  await removeHomes(trialState.homes)
}

function play(trialState: TrialState): Promise<StrategyResult> {
  const { root, run, strategy, trial } = trialState
  return new Promise((resolve, reject) => {
    root.giveUp = reject
    const begin = async () => strategy.run(contextOf(trialState, root))
    const isOwn = trial.cell.method.file !== undefined
    const played = run.userCode && isOwn ? runUserCode(trialState, undefined, begin) : begin()
    const ended = run.userCode ? played.finally(awaitStrayThrows) : played
    ended.then(resolve, reject)
  })
}

/** Waits for effects and branches that the strategy did not await, unless the trial is given up, so that the bill includes them. */
async function awaitUnfinished(trialState: TrialState): Promise<void> {
  const { root } = trialState
  if (!root.group && !root.busy) return
  const givenUp = new Promise<void>((resolve) => {
    if (trialState.gaveUp) resolve()
    else trialState.onGiveUp = resolve
  })
  await Promise.race([waitForAll(root), givenUp])
  joinUnfinished(root)
}

async function waitForAll(branch: Branch): Promise<void> {
  while (branch.group || branch.busy) {
    await branch.effect?.catch(() => {})
    await branch.group?.done
  }
}
