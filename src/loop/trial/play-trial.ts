import { setMaxListeners } from 'node:events'
import type { Agent } from '../../agents/agent.ts'
import { areSimulated } from '../../agents/what-answers.ts'
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
  type RunDoor,
  type TrialDoor,
} from '../state/trial-state.ts'
import { hasEnded, lastWords, noteThrown, onBehalfOf } from '../state/user-code.ts'
import { contextOf } from './context.ts'
import { optionsOf } from './matched-attempts.ts'
import { outcomeOf } from './outcome.ts'

/** A trial whose method has ended, and which is to be graded. */
export interface PlayedTrial {
  door: TrialDoor
  outcome: Outcome
  /** Undefined where the method did not come to its end. */
  result: StrategyResult | undefined
  /** Milliseconds since 1970. */
  startedAt: number
}

/** Runs a trial's method to its outcome. Throws `Interrupted` when the run is aborted: there is no record then. */
export async function playTrial(
  run: RunDoor,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
  budget?: () => MatchedBudget,
): Promise<PlayedTrial> {
  const startedAt = Date.now()
  const door = openTrial(run, trial, task, strategy, recorded)
  for (const intent of recorded?.lost ?? []) run.journal?.step(lostStep(intent), door.mark)
  run.running.push(door)
  try {
    if (trial.cell.method.match) Object.assign(door, optionsOf(door, budget))
    const result = checkedResult(await play(door), strategy.name, run.redact)
    await unfinished(door)
    return { door, outcome: outcomeOfEnd(door), result, startedAt }
  } catch (error) {
    await unfinished(door)
    return { door, outcome: outcomeOfFailure(door, asError(error)), result: undefined, startedAt }
  } finally {
    await letGo(door)
  }
}

function openTrial(
  run: RunDoor,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
): TrialDoor {
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
    simulated: areSimulated(Object.values<Agent>(agents)),
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
function outcomeOfEnd({ broken, stopped, root }: TrialDoor): Outcome {
  if (broken) throw broken
  if (stopped) throw new Interrupted()
  return root.refused ? outcomeOf(root.refused.error) : { status: 'completed', reason: '' }
}

/** The outcome of a method that threw. Throws `Interrupted` where that is none. */
function outcomeOfFailure(door: TrialDoor, error: Error): Outcome {
  if (door.broken && !door.stopped && !door.run.signal.aborted) return outcomeOf(door.broken)
  if (error instanceof Interrupted || isInterrupted(door)) throw new Interrupted()
  if (error instanceof DivergenceError) {
    door.divergences.push(error.message)
    return { status: 'error', reason: 'the replay diverged' }
  }
  const outcome = outcomeOf(door.root.refused?.error ?? error)
  if (outcome.status === 'failed' && !(error instanceof AgentError)) noteThrown(door, error)
  return outcome
}

/** Its method has ended: what that left running begins nothing more. */
async function letGo(door: TrialDoor): Promise<void> {
  door.over = true
  const { running } = door.run
  running.splice(running.indexOf(door), 1)
  if (door.run.ownCode) hasEnded(door)
  await removeHomes(door.homes)
}

function play(door: TrialDoor): Promise<StrategyResult> {
  const { root, run, strategy, trial } = door
  return new Promise((resolve, reject) => {
    root.giveUp = reject
    const begin = async () => strategy.run(contextOf(door, root))
    const isOwn = trial.cell.method.file !== undefined
    const played = run.ownCode && isOwn ? onBehalfOf(door, undefined, begin) : begin()
    const ended = run.ownCode ? played.finally(lastWords) : played
    ended.then(resolve, reject)
  })
}

/** Waits for what the strategy began and did not wait for, unless the trial is given up; the bill then holds all of it. */
async function unfinished(door: TrialDoor): Promise<void> {
  const { root } = door
  if (!root.group && !root.busy) return
  const givenUp = new Promise<void>((resolve) => {
    if (door.gaveUp) resolve()
    else door.onGiveUp = resolve
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
