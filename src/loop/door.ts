import type { Agent } from '../agents/agent.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { AskStep, Step } from '../schema/step.ts'
import type { Task } from '../schema/task.ts'
import type { Trial } from '../schema/trial.ts'
import type { CheckResult, Strategy, TraceEvent } from '../strategy.ts'
import type { Blobs } from './blobs.ts'
import type { Journal } from './journal.ts'
import { type Recorded, stepName } from './journal-index.ts'

/** What all trials of a run share. */
export interface RunDoor {
  mode: 'dev' | 'live'
  /** The agent for a role. */
  agentFor(role: string): Agent
  sandbox: SandboxRun
  /** Undefined on replay: the journal alone answers, and nothing is written. */
  journal: Journal | undefined
  blobs: Blobs
  /** Takes trace events; undefined on replay. */
  event: ((trial: string, key: string, event: TraceEvent) => void) | undefined
  /** Fixed virtual cost of a check in dev mode; ms. */
  checkMs: number
  /** On replay: grade again instead of taking the journaled grades. */
  regrade?: true
  /** The stated policy where nobody can be asked. */
  approvals: 'approved' | 'abort'
  signal: AbortSignal
}

/** Stands for a text that may hold the reference solution. */
export const withheld = '(withheld: it may hold the reference solution)'

/** One trial's side of the door. Mutable while the trial runs; nothing of it outlives the trial. */
export interface TrialDoor {
  run: RunDoor
  trial: Trial
  task: Task
  strategy: Strategy
  /** What an earlier session journaled of this trial. */
  recorded: Recorded | undefined
  /** Set by the first refusal: the trial ends as limited, whatever the strategy makes of it. */
  limited: string | undefined
  /** Asks of producing roles. */
  produced: number
  /** A reply that must not be journaled was given: later prompts may hold it. */
  secret: boolean
  simulated: boolean
  paid: boolean
  /** Every attempt of every ask, for the phase history of methods that label iterations. */
  asked: { step: AskStep; branch: string; text: string }[]
  labelled: boolean
  /** How often a person set the method's state. */
  interventions: number
  /** Budget alerts that were told: limit and percent. */
  alerted: Set<string> | undefined
  /** The visible checks' result by state of the files, for agents that look for themselves. */
  peeked: Map<string | null, Promise<CheckResult>> | undefined
  divergences: string[]
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
 * resume it voids the trial's later steps and the trial goes on live.
 */
export function fromJournal(
  door: TrialDoor,
  key: string,
  attempt: number,
  hash: string,
  describe: () => string,
): Step | undefined {
  const { recorded, run } = door
  if (!recorded) return undefined
  const name = stepName(key, attempt)
  const step = recorded.steps.get(name)
  if (step && step.hash === hash) {
    recorded.steps.delete(name)
    return step
  }
  if (!step && run.journal) return undefined
  const what = step
    ? `the request differs.\n  journaled: ${shorten(textOf(step))}\n  now:       ${shorten(describe())}`
    : `the journal holds no such step. Now: ${shorten(describe())}`
  const message = `[trial ${door.trial.id}, step ${key}, attempt ${attempt}] ${what}`
  if (!run.journal) throw new DivergenceError(message)
  voidLater(door, key, attempt, hash, message)
  return undefined
}

/** Whether a replay came to its end without touching all that was journaled. */
export function leftOver(door: TrialDoor): string[] {
  return [...(door.recorded?.steps.values() ?? [])].map(
    (step) =>
      `[trial ${door.trial.id}, step ${step.key}, attempt ${step.attempt}] journaled (${step.kind}), but not asked for now`,
  )
}

function voidLater(door: TrialDoor, key: string, attempt: number, hash: string, reason: string): void {
  const { recorded } = door
  if (!recorded) return
  door.divergences.push(reason)
  door.run.journal?.step({
    trial: door.trial.id,
    key,
    attempt,
    kind: 'void',
    payer: 'void',
    hash,
    at: 0,
    durationMs: 0,
    keys: [...recorded.steps.keys()],
    reason,
  })
  recorded.steps.clear()
}

function textOf(step: Step): string {
  if (step.kind === 'ask') return `${step.role}: ${step.prompt}`
  return `${step.kind} ${step.hash}`
}

/** The part around which two long texts differ is rarely at their start, but their start tells which ask it was. */
function shorten(text: string): string {
  return text.length <= 400
    ? JSON.stringify(text)
    : `${JSON.stringify(text.slice(0, 400))}… (${text.length} characters)`
}
