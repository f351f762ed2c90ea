import type { Agent } from '../../agents/agent.ts'
import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { MatchedBudget } from '../../schema/ledger/budget-match.ts'
import type { AskStep, Step } from '../../schema/ledger/step.ts'
import type { Trial } from '../../schema/ledger/trial.ts'
import type { Capture } from '../../schema/run/run.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Task } from '../../schema/task.ts'
import type { CheckResult, KindOfWork, Strategy, TraceEvent } from '../../strategy.ts'
import { InfrastructureError, LimitError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import type { ErrorLocation } from '../../user-code/error-location.ts'
import type { Gate } from '../budget/rate-gate.ts'
import type { Admission } from '../budget/run-budget.ts'
import type { Blobs } from '../journal/blobs.ts'
import type { Journal } from '../journal/journal.ts'
import { type Recorded, stepName } from '../journal/ledger-index.ts'
import type { LedgerMark } from '../journal/ledger-mark.ts'
import { type Branch, mayBeTold } from './branch.ts'
import type { Asked } from './call-order.ts'
import type { MadeCandidate, OpenedBranch } from './made.ts'
import { difference, shortText } from './step-difference.ts'

/** What all trials of a run share. */
export interface RunState {
  mode: 'dev' | 'live'
  agents: ReadonlyMap<string, TrialState['agents']>
  sandbox: SandboxRun
  /** Undefined on replay: the journal alone answers, and nothing is written. */
  journal: Journal | undefined
  blobs: Blobs
  /** Takes trace events; undefined on replay. */
  event: ((trial: string, key: string, event: TraceEvent) => void) | undefined
  /** Where the run or a method of it has limits. */
  admission?: Admission | undefined
  /** Holds calls back as their accounts' rates want it; undefined on replay. */
  gate?: Gate | undefined
  /** Fixed virtual cost of a check in dev mode; ms. */
  checkMs: number
  /** On replay: grade again instead of taking the journaled grades. */
  regrade?: true
  /** What producing roles make on the way is graded, too. */
  gradeCandidates?: true | undefined
  /** The stated policy where nobody can be asked. */
  approvals: 'approved' | 'abort'
  signal: AbortSignal
  /** What of each ask is kept; everything by default. */
  capture?: Capture | undefined
  /** Tells the user something at once. */
  warn?: ((message: string) => void) | undefined
  /** Keeps secrets out of all that goes through the door, both ways; undefined where there are none. */
  redact?: Redactor | undefined
  /** Some strategy or agent is code of the user's in this process; see `own-code.ts`. */
  ownCode?: true | undefined
  /** Trials under way, so that one that waits for ever can be ended. */
  running: TrialState[]
}

/** Stands for a text that may hold the reference solution. */
export const withheld = '(withheld: it may hold the reference solution)'

/** Stands for a text that was not to be kept. */
export const notKept = '(not kept: capture.prompts is false)'

/** One trial's side of the door. Mutable while the trial runs; nothing of it outlives the trial. */
export interface TrialState {
  run: RunState
  trial: Trial
  task: Task
  strategy: Strategy
  /** Its roles under the method's options, and who answers for them. */
  roles: Readonly<Record<string, KindOfWork>>
  agents: Readonly<Record<string, Agent>>
  /** The method's, with the attempts of a matched budget. */
  options: Readonly<Record<string, unknown>>
  matched?: MatchedBudget
  /** What an earlier session journaled of this trial. */
  recorded?: Recorded | undefined
  /** Of its lines in the ledger, those of earlier sessions too. */
  mark: LedgerMark
  /** A limit of the run or of the method refused an ask: the trial does no more, and has no outcome yet. */
  stopped: boolean
  /** An agent never replied, or code of the user's threw where nobody awaited it: the trial does no more, and ends in error. */
  broken?: Error
  /** Cuts off what is in flight then; undefined where no code is the user's. */
  cut?: AbortController | undefined
  /** Calls that went out to agents and have no reply yet. */
  awaited: Set<{ agent: Agent; role: string }>
  /** Asks of producing roles. */
  produced: number
  /** A reply that must not be journaled was given: later prompts may hold it. */
  secret: boolean
  simulated: boolean
  paid: boolean
  /** Every attempt of every ask: for the phase history of methods that label iterations, and to tell what ran. */
  asked: (Asked & { step: AskStep; text: string })[]
  labelled: boolean
  /** What producing roles have made so far; undefined where nobody grades it. */
  candidates?: MadeCandidate[] | undefined
  /** How often a person set the method's state. */
  interventions: number
  /** Budget alerts that were told: limit and percent. */
  alerted: Set<string>
  /** The visible checks' result by state of the files, for agents that look for themselves. */
  peeked: Map<string | null, Promise<CheckResult>>
  /** HOME folders of agents, by branch. */
  homes: Map<string, string>
  /** The weakest level at which code of this trial ran; undefined where none did. */
  level?: SandboxLevel | undefined
  divergences: string[]
  /** Effects that a method of the user's has begun and not awaited so far; undefined with others. */
  unawaited?: Set<{ what: string }> | undefined
  /** Branches that the method has opened. */
  opened: OpenedBranch[]
  /** Where code of the user's threw, if that ended the trial. */
  thrown?: ErrorLocation | undefined
  /** The branch that the method begins in. */
  root: Branch
  /** The method was ended from outside: nobody waits for its branches. */
  gaveUp: boolean
  /** Called then, by whoever waits for them. */
  onGiveUp?: () => void
  /** The method has ended: what it left running begins nothing more. */
  over: boolean
}

/** Thrown when a replay needs what the journal does not hold, or asks something else than it holds. */
export class DivergenceError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DivergenceError'
  }
}

/** Thrown when the run was aborted: no outcome, no record. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted')
    this.name = 'Interrupted'
  }
}

/**
 * The journal's answer to an effect, if it holds one. Another hash is a divergence: on replay it ends the trial, on
 * resume it voids the trial's later steps and the trial goes on live. What is asked for is told by its hash where nothing
 * describes it.
 */
export function fromJournal(
  trialState: TrialState,
  key: string,
  attempt: number,
  hash: string,
  describe?: () => string,
): Step | undefined {
  const { recorded, run } = trialState
  const name = recorded && stepName(key, attempt)
  const step = name === undefined ? undefined : recorded?.steps.get(name)
  // What the method makes of an interrupt must leave no trace, or the next session would find a divergence.
  if (isInterrupted(trialState) && !(step && replaysBreak(trialState))) throw new Interrupted()
  if (!recorded || name === undefined) return undefined
  if (step && step.hash === hash) {
    recorded.steps.delete(name)
    return step
  }
  if (!step && run.journal) return undefined
  if (!step && recorded.broke !== undefined) {
    trialState.broken = new InfrastructureError(recorded.broke)
    throw trialState.broken
  }
  const now = describe?.() ?? hash
  const what = step ? difference(step, now) : `the journal holds no such step. Now: ${shortText(now)}`
  const message = `[trial ${trialState.trial.id}, step ${key}, attempt ${attempt}] ${what}`
  if (!run.journal) throw new DivergenceError(message)
  voidLater(trialState, key, attempt, hash, message)
  return undefined
}

/** `fromJournal` for an effect of a branch: one that lost a `first` does what is journaled, and nothing new. */
export function answerOf(
  trialState: TrialState,
  branch: { lost: boolean },
  key: string,
  attempt: number,
  hash: string,
  describe: () => string,
): Step | undefined {
  if (branch.lost && isNew(trialState, key, attempt)) throw new Interrupted()
  return fromJournal(trialState, key, attempt, hash, describe)
}

/** Whether the journal holds nothing of an effect. */
export function isNew({ recorded }: TrialState, key: string, attempt: number): boolean {
  return !recorded?.steps.has(stepName(key, attempt))
}

/** Whether the trial is interrupted, and may do no more in this session. */
export function isInterrupted({ stopped, broken, run }: TrialState): boolean {
  return stopped || broken !== undefined || run.signal.aborted
}

/** Whether what a trial did before it broke is still replayed: branches come to the break in another order then. */
export function replaysBreak({ run, recorded }: TrialState): boolean {
  return !run.journal && !run.signal.aborted && recorded?.broke !== undefined
}

/**
 * Tells the method why an effect failed. Work that catches "no more" for ever would spin and could not even be
 * interrupted: after a while it is left waiting, and its branch ends without it.
 */
export async function tell(trialState: TrialState, branch: Branch, error: unknown): Promise<never> {
  const interrupted = isInterrupted(trialState)
  if (!interrupted && !(error instanceof LimitError || error instanceof Interrupted)) throw error
  const told = interrupted ? new Interrupted() : error
  if (mayBeTold(branch, told as Error)) throw told
  return new Promise(() => {})
}

/** Whether a replay came to its end without touching all that was journaled. */
export function leftOver(trialState: TrialState): string[] {
  return [...(trialState.recorded?.steps.values() ?? [])].map(
    (step) =>
      `[trial ${trialState.trial.id}, step ${step.key}, attempt ${step.attempt}] journaled (${step.kind}), but not asked for now`,
  )
}

function voidLater(trialState: TrialState, key: string, attempt: number, hash: string, reason: string): void {
  const { recorded } = trialState
  if (!recorded) return
  trialState.divergences.push(reason)
  trialState.run.journal?.step(
    {
      trial: trialState.trial.id,
      key,
      attempt,
      kind: 'void',
      payer: 'void',
      hash,
      at: 0,
      durationMs: 0,
      keys: [...recorded.steps.keys()],
      reason,
    },
    trialState.mark,
  )
  recorded.steps.clear()
}
