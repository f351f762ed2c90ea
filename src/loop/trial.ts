import { setMaxListeners } from 'node:events'
import type { Agent } from '../agents/agent.ts'
import { areSimulated } from '../agents/what-answers.ts'
import { AgentError, asError } from '../errors.ts'
import { rowName } from '../schema/agent-set.ts'
import type { MatchedBudget } from '../schema/budget-match.ts'
import type { Outcome } from '../schema/outcome.ts'
import type { TrialRecord } from '../schema/record.ts'
import type { Task } from '../schema/task.ts'
import type { Trial } from '../schema/trial.ts'
import type { Strategy, StrategyResult } from '../strategy.ts'
import { type Branch, joinUnfinished } from './branch.ts'
import { deliveredFrom, gradeCandidates } from './candidates.ts'
import { contextOf } from './context.ts'
import {
  DivergenceError,
  Interrupted,
  isInterrupted,
  leftOver,
  type RunDoor,
  type TrialDoor,
} from './door.ts'
import { deliveredOf, gradeState } from './grade-state.ts'
import { removeHomes } from './homes.ts'
import { unansweredIn } from './in-vain.ts'
import type { Recorded } from './journal-index.ts'
import { emptyMark, type LedgerMark } from './ledger-mark.ts'
import { lostStep } from './lost-step.ts'
import { optionsOf } from './matched-budget.ts'
import { outcomeOf } from './outcome-of.ts'
import { hasEnded, lastWords, noteThrown, onBehalfOf } from './own-code.ts'
import { recordOf } from './record-of.ts'
import { checkedResult } from './result.ts'
import { rolesOf } from './roles-of.ts'
import { rootBranch } from './root-branch.ts'

/** A finished trial: its record, and where it and its journal disagreed. */
export interface FinishedTrial {
  record: TrialRecord
  /** Of its lines in the ledger: for the record's. */
  mark: LedgerMark
  divergences: string[]
  /** Milliseconds since 1970. */
  endedAt: number
  /** Some step was paid: its record is written at once. */
  paid: boolean
  /** What the first ask was told, where none was answered. */
  unanswered: string | undefined
  /** Final state, for artifacts. */
  branch: Branch
}

/** Runs one trial to its outcome and grades what it left behind. Throws `Interrupted` when the run is aborted: no record then. */
export async function runTrial(
  run: RunDoor,
  trial: Trial,
  task: Task,
  strategy: Strategy,
  recorded: Recorded | undefined,
  budget?: () => MatchedBudget,
): Promise<FinishedTrial> {
  const startedAt = Date.now()
  const cut = run.ownCode && new AbortController()
  const branch = rootBranch(task, cut ? eitherOf(run.signal, cut.signal) : run.signal)
  const { method, agentSet } = trial.cell
  const roles = rolesOf(strategy, method.options)
  const agents = run.agents.get(rowName(method.label, agentSet)) ?? {}
  const door: TrialDoor = {
    run,
    trial,
    task,
    strategy,
    roles,
    agents,
    options: trial.cell.method.options,
    matched: undefined,
    recorded,
    mark: recorded?.mark ?? emptyMark(),
    stopped: false,
    broken: undefined,
    cut,
    awaited: undefined,
    produced: 0,
    secret: false,
    // One is enough to make the trial's numbers made up, whoever else answers in it.
    simulated: areSimulated(Object.values<Agent>(agents)),
    paid: false,
    asked: [],
    labelled: false,
    candidates: run.gradeCandidates && [],
    interventions: 0,
    alerted: undefined,
    peeked: undefined,
    homes: undefined,
    level: undefined,
    divergences: [],
    unawaited: run.ownCode && trial.cell.method.file !== undefined ? new Set() : undefined,
    opened: undefined,
    thrown: undefined,
    root: branch,
    gaveUp: false,
    onGiveUp: undefined,
    over: false,
  }
  if (recorded) for (const intent of recorded.lost) run.journal?.step(lostStep(intent), door.mark)

  run.running?.push(door)
  let result: StrategyResult | undefined
  let outcome: Outcome
  // No function of its own: each one that waits costs a trial of a dry run a promise, and a hundredth of its instructions.
  try {
    if (trial.cell.method.match) Object.assign(door, optionsOf(door, budget))
    const played = checkedResult(await play(door, branch), strategy.name, run.redact)
    if (branch.group || branch.busy) await unfinished(door, branch)
    outcome = outcomeOfEnd(door, branch)
    result = played
  } catch (error) {
    if (branch.group || branch.busy) await unfinished(door, branch)
    outcome = outcomeOfFailure(door, branch, asError(error))
  } finally {
    letGo(door)
    if (door.homes) await removeHomes(door.homes)
  }
  const answer = result?.answer ?? branch.state.answer
  if (door.candidates && answer !== branch.state.answer) deliveredFrom(door, branch, answer)
  const delivered = deliveredOf(task, branch.state, answer)
  const grading =
    outcome.status === 'error' || outcome.status === 'cancelled'
      ? undefined
      : gradeState(door, branch, { key: 'grade#0', state: branch.state, answer, delivered })
  const graded = grading instanceof Promise ? await grading : grading
  const ended = graded && 'broke' in graded ? { status: 'error' as const, reason: graded.broke } : outcome
  const final = run.redact ? { ...ended, reason: run.redact.text(ended.reason) } : ended
  const step = graded && 'step' in graded ? graded.step : undefined
  const candidates = step && door.candidates && (await gradeCandidates(door, branch, step))
  if (!run.journal) door.divergences.push(...leftOver(door))
  // By the clock that says when it began: another one beside it costs a hundredth of a dry run, and nothing is computed from
  // the difference. Whoever sets the clock meanwhile gets it wrong.
  const endedAt = Date.now()

  return {
    record: recordOf(door, branch, result, {
      outcome: final,
      answer,
      delivered,
      step,
      candidates,
      startedAt,
      ms: Math.max(0, endedAt - startedAt),
    }),
    mark: door.mark,
    divergences: door.divergences,
    endedAt,
    paid: door.paid,
    unanswered: unansweredIn(door.asked),
    branch,
  }
}

function eitherOf(...signals: AbortSignal[]): AbortSignal {
  const signal = AbortSignal.any(signals)
  // Every call of the trial listens while it lasts.
  setMaxListeners(0, signal)
  return signal
}

/** The outcome of a method that came to its end. Throws where the trial was ended from outside. */
function outcomeOfEnd(door: TrialDoor, branch: Branch): Outcome {
  if (door.broken) throw door.broken
  if (door.stopped) throw new Interrupted()
  return branch.refused ? outcomeOf(branch.refused.error) : { status: 'completed', reason: '' }
}

/** The outcome of a method that threw. Throws `Interrupted` where that is none. */
function outcomeOfFailure(door: TrialDoor, branch: Branch, error: Error): Outcome {
  if (door.broken && !door.stopped && !door.run.signal.aborted) return outcomeOf(door.broken)
  if (error instanceof Interrupted || isInterrupted(door)) throw new Interrupted()
  if (error instanceof DivergenceError) {
    door.divergences.push(error.message)
    return { status: 'error', reason: 'the replay diverged' }
  }
  const outcome = outcomeOf(branch.refused?.error ?? error)
  if (outcome.status === 'failed' && !(error instanceof AgentError)) noteThrown(door, error)
  return outcome
}

/** Its method has ended: what that left running begins nothing more. */
function letGo(door: TrialDoor): void {
  door.over = true
  if (door.run.running) leave(door.run.running, door)
  if (door.run.ownCode) hasEnded(door)
}

// A set that takes and loses one for each trial makes itself new tables, and V8 lets each cast-off one hold on to the next
// and to the trials in it: as soon as one of them has lived long, none of the later trials is let go of.
function leave(running: TrialDoor[], door: TrialDoor): void {
  const last = running.pop()
  if (last && last !== door) running[running.indexOf(door)] = last
}

function play(door: TrialDoor, branch: Branch): Promise<StrategyResult> {
  return new Promise((resolve, reject) => {
    branch.giveUp = reject
    const played = door.run.ownCode ? playOwn(door, branch) : door.strategy.run(contextOf(door, branch))
    played.then(resolve, reject)
  })
}

function playOwn(door: TrialDoor, branch: Branch): Promise<StrategyResult> {
  const begin = () => door.strategy.run(contextOf(door, branch))
  const isOwn = door.trial.cell.method.file !== undefined
  // It may give its result without a promise.
  return Promise.resolve(isOwn ? onBehalfOf(door, undefined, begin) : begin()).finally(lastWords)
}

/** Waits for what the strategy began and did not wait for, unless the trial is given up; the bill then holds all of it. */
async function unfinished(door: TrialDoor, branch: Branch): Promise<void> {
  const givenUp = new Promise<void>((resolve) => {
    if (door.gaveUp) resolve()
    else door.onGiveUp = resolve
  })
  await Promise.race([allEnded(branch), givenUp])
  joinUnfinished(branch)
}

async function allEnded(branch: Branch): Promise<void> {
  while (branch.group || branch.busy) {
    await branch.effect?.catch(() => {})
    await branch.group?.done
  }
}
