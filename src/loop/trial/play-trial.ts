import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { Outcome } from '../../schema/ledger/outcome.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { Task } from '../../schema/task.ts'
import type { Strategy, StrategyResult } from '../../strategy.ts'
import { AgentError, asError } from '../../text/errors.ts'
import { removeHomes } from '../ask/agent-request.ts'
import { lostStep } from '../ask/send.ts'
import { openTrial } from '../branch/begin-trial.ts'
import { joinUnfinished } from '../branch/branch-group.ts'
import { validateResult } from '../branch/check-result.ts'
import { brokenBy, DivergenceError, Interrupted, isInterrupted } from '../branch/recorded-steps.ts'
import type { Branch, RunState, TrialState } from '../branch/trial-state.ts'
import { awaitStrayThrows, forgetTrial, noteThrowPlace, runUserCode } from '../branch/user-code.ts'
import { Cancelled } from '../effects/approval.ts'
import { clearOutputs, saveOutputs } from '../effects/outputs.ts'
import type { PastTrial } from '../journal/ledger-index.ts'
import { contextOf } from './context.ts'
import { resolveOptions } from './matched-attempts.ts'
import { findUnanswered, outcomeOf } from './outcome.ts'

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
  const trialState = await openTrial(run, trial, task, strategy, recorded)
  // V8 puts a function that is written where it is assigned straight into the old generation, and with it all that it holds.
  const save = () => saveOutputs(trialState)
  trialState.root.onShared = save
  // Without this, what an earlier session wrote would stay even if the method does not write it again.
  if (recorded) clearOutputs(trialState)
  for (const intent of recorded?.lost ?? [])
    run.journal?.step(lostStep(intent), trialState.journal.ledgerChecksum)
  run.running.push(trialState)
  try {
    if (trial.cell.method.match) Object.assign(trialState.plan, resolveOptions(trialState, budget))
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

/** Returns the outcome of a method that returned. Throws when the trial was ended from outside. */
function outcomeOfEnd(
  { phase, spoilt, root, people: { aborted } }: TrialState,
  { stopReason }: StrategyResult,
): Outcome {
  if (phase !== 'running') throw phase === 'stopped' ? new Interrupted() : phase.broken
  if (spoilt) throw spoilt
  if (root.refused) return outcomeOf(root.refused.error)
  if (stopReason !== 'cancelled') return { status: 'completed', reason: '' }
  if (aborted !== undefined) return outcomeOf(new Cancelled(aborted))
  throw new Error(
    "it returned the stopReason cancelled, but no person aborted it: no approve(question, { onAbort: 'return' }) of this trial returned abort. Return halted instead.",
  )
}

/** Returns the outcome of a method that threw. Throws `Interrupted` when the trial was interrupted. */
function outcomeOfFailure(trialState: TrialState, error: Error): Outcome {
  const broken = brokenBy(trialState)
  if (broken && !trialState.run.signal.aborted) return outcomeOf(broken)
  if (error instanceof Interrupted || isInterrupted(trialState)) throw new Interrupted()
  if (error instanceof DivergenceError) {
    trialState.journal.divergences.push(error.message)
    return { status: 'error', reason: 'the replay diverged' }
  }
  const outcome = outcomeOf(trialState.spoilt ?? trialState.root.refused?.error ?? error)
  // A server that rejects all requests of a trial says nothing about the method.
  if (error instanceof AgentError && error.reason === 'request' && findUnanswered(trialState.journal.asked))
    return { ...outcome, status: 'error' }
  if (outcome.status === 'failed' && !(error instanceof AgentError)) noteThrowPlace(trialState, error)
  return outcome
}

/** Ends a trial after its method: code that the method left running cannot begin effects. */
async function releaseTrial(trialState: TrialState): Promise<void> {
  trialState.hasEnded = true
  const { running } = trialState.run
  running.splice(running.indexOf(trialState), 1)
  if (trialState.run.userCode) forgetTrial(trialState)
  await removeHomes(trialState.homes)
}

function play(trialState: TrialState): Promise<StrategyResult> {
  const { root, run, plan } = trialState
  return new Promise((resolve, reject) => {
    root.giveUp = reject
    const begin = async () => plan.strategy.run(contextOf(root))
    const isOwn = plan.trial.cell.method.file !== undefined
    const played = run.userCode && isOwn ? runUserCode(trialState, undefined, begin) : begin()
    const ended = run.userCode ? played.finally(awaitStrayThrows) : played
    ended.then(resolve, reject)
  })
}

/** Waits for effects and branches that the strategy did not await, unless the trial is given up, so that the bill includes them. */
async function awaitUnfinished(trialState: TrialState): Promise<void> {
  const { root } = trialState
  if (!root.group && !root.busy) return
  const { signal } = trialState.abandoned
  const givenUp = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve())
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
