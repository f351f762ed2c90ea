import { setMaxListeners } from 'node:events'
import type { Agent } from '../../agents/agent.ts'
import { includesSimulated } from '../../agents/paid-or-simulated.ts'
import { rowName } from '../../schema/agent/agent-set.ts'
import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy, StrategyResult } from '../../strategy.ts'
import { AgentError, asError } from '../../text/errors.ts'
import { removeHomes } from '../ask/agent-request.ts'
import { lostStep } from '../ask/send.ts'
import type { Recorded } from '../journal/ledger-index.ts'
import { emptyMark } from '../journal/ledger-mark.ts'
import { rolesOf } from '../plan/row-agents.ts'
import { type Branch, rootBranch } from '../state/branch.ts'
import { joinUnfinished } from '../state/branch-group.ts'
import { checkedResult } from '../state/check-result.ts'
import {
  DivergenceError,
  Interrupted,
  isInterrupted,
  type RunState,
  type TrialState,
} from '../state/trial-state.ts'
import { hasEnded, lastWords, noteThrown, onBehalfOf } from '../state/user-code.ts'
import { contextOf } from './context.ts'
import { optionsOf } from './matched-attempts.ts'
import { outcomeOf } from './outcome.ts'

/** A trial whose method has ended, and which is to be graded. */
export interface PlayedTrial {
  trialState: TrialState
  outcome: Outcome
  /** Undefined where the method did not come to its end. */
  result: StrategyResult | undefined
  /** Milliseconds since 1970. */
  startedAt: number
}

/** Runs a trial's method to its outcome. Throws `Interrupted` when the run is aborted: there is no record then. */
export async function playTrial(
  run: RunState,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
  budget?: () => MatchedBudget,
): Promise<PlayedTrial> {
  const startedAt = Date.now()
  const trialState = openTrial(run, trial, task, strategy, recorded)
  for (const intent of recorded?.lost ?? []) run.journal?.step(lostStep(intent), trialState.mark)
  run.running.push(trialState)
  try {
    if (trial.cell.method.match) Object.assign(trialState, optionsOf(trialState, budget))
    const result = checkedResult(await play(trialState), strategy.name, run.redact)
    await unfinished(trialState)
    return { trialState, outcome: outcomeOfEnd(trialState), result, startedAt }
  } catch (error) {
    await unfinished(trialState)
    return { trialState, outcome: outcomeOfFailure(trialState, asError(error)), result: undefined, startedAt }
  } finally {
    await letGo(trialState)
  }
}

function openTrial(
  run: RunState,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
): TrialState {
  const { method, agentSet } = trial.cell
  const cut = run.ownCode && new AbortController()
  const agents = run.agents.get(rowName(method.label, agentSet)) ?? {}
  return {
    run,
    trial,
    task,
    strategy,
    roles: rolesOf(strategy, method.options),
    agents,
    options: method.options,
    recorded,
    mark: recorded?.mark ?? emptyMark(),
    stopped: false,
    cut,
    awaited: new Set(),
    produced: 0,
    secret: false,
    // One is enough to make the trial's numbers made up, whoever else answers in it.
    simulated: includesSimulated(Object.values<Agent>(agents)),
    paid: false,
    asked: [],
    labelled: false,
    candidates: run.gradeCandidates && [],
    interventions: 0,
    alerted: new Set(),
    peeked: new Map(),
    homes: new Map(),
    divergences: [],
    unawaited: run.ownCode && method.file !== undefined ? new Set() : undefined,
    opened: [],
    root: rootBranch(task, cut ? eitherOf(run.signal, cut.signal) : run.signal),
    gaveUp: false,
    over: false,
  }
}

function eitherOf(...signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals)
  // Every call of the trial listens while it lasts.
  setMaxListeners(0, signal)
  return signal
}

/** The outcome of a method that came to its end. Throws where the trial was ended from outside. */
function outcomeOfEnd({ broken, stopped, root }: TrialState): Outcome {
  if (broken) throw broken
  if (stopped) throw new Interrupted()
  return root.refused ? outcomeOf(root.refused.error) : { status: 'completed', reason: '' }
}

/** The outcome of a method that threw. Throws `Interrupted` where that is none. */
function outcomeOfFailure(trialState: TrialState, error: Error): Outcome {
  if (trialState.broken && !trialState.stopped && !trialState.run.signal.aborted)
    return outcomeOf(trialState.broken)
  if (error instanceof Interrupted || isInterrupted(trialState)) throw new Interrupted()
  if (error instanceof DivergenceError) {
    trialState.divergences.push(error.message)
    return { status: 'error', reason: 'the replay diverged' }
  }
  const outcome = outcomeOf(trialState.root.refused?.error ?? error)
  if (outcome.status === 'failed' && !(error instanceof AgentError)) noteThrown(trialState, error)
  return outcome
}

/** Its method has ended: what that left running begins nothing more. */
async function letGo(trialState: TrialState): Promise<void> {
  trialState.over = true
  const { running } = trialState.run
  running.splice(running.indexOf(trialState), 1)
  if (trialState.run.ownCode) hasEnded(trialState)
  await removeHomes(trialState.homes)
}

function play(trialState: TrialState): Promise<StrategyResult> {
  const { root, run, strategy, trial } = trialState
  return new Promise((resolve, reject) => {
    root.giveUp = reject
    const begin = async () => strategy.run(contextOf(trialState, root))
    const isOwn = trial.cell.method.file !== undefined
    const played = run.ownCode && isOwn ? onBehalfOf(trialState, undefined, begin) : begin()
    const ended = run.ownCode ? played.finally(lastWords) : played
    ended.then(resolve, reject)
  })
}

/** Waits for what the strategy began and did not wait for, unless the trial is given up; the bill then holds all of it. */
async function unfinished(trialState: TrialState): Promise<void> {
  const { root } = trialState
  if (!root.group && !root.busy) return
  const givenUp = new Promise<void>((resolve) => {
    if (trialState.gaveUp) resolve()
    else trialState.onGiveUp = resolve
  })
  await Promise.race([allEnded(root), givenUp])
  joinUnfinished(root)
}

async function allEnded(branch: Branch): Promise<void> {
  while (branch.group || branch.busy) {
    await branch.effect?.catch(() => {})
    await branch.group?.done
  }
}
