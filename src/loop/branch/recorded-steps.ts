import type { Step } from '../../schema/ledger/step.ts'
import { InfrastructureError } from '../../text/errors.ts'
import { voidStep } from '../journal/journal.ts'
import { stepName } from '../journal/ledger-index.ts'
import { describeDifference, shortText } from './step-difference.ts'
import type { Branch, TrialState } from './trial-state.ts'

/** Thrown when a replay needs a step that the journal lacks, or asks something other than what was journaled. */
export class DivergenceError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'DivergenceError'
  }
}

/** Thrown when the run was aborted: the trial gets no outcome and no record. */
export class Interrupted extends Error {
  constructor() {
    super('the run was interrupted')
    this.name = 'Interrupted'
  }
}

/** Whether the trial must stop for this session. */
export function isInterrupted({ phase, run }: TrialState): boolean {
  return phase !== 'running' || run.signal.aborted
}

/** Returns the error that broke a trial; undefined if none did. */
export const brokenBy = ({ phase }: TrialState): Error | undefined =>
  typeof phase === 'object' ? phase.broken : undefined

/**
 * Returns the error that a trial will end in, whatever its method makes of it: the trial lacks what it was to be given. Its other
 * branches go on, so that its steps do not depend on their timing; of several errors the first by its text counts.
 */
export function spoil(trialState: TrialState, error: InfrastructureError): InfrastructureError {
  const { spoilt } = trialState
  if (!spoilt || error.message < spoilt.message) trialState.spoilt = error
  return error
}

/** Stops a trial for this session: it has no outcome yet. */
export function stopTrial(trialState: TrialState): never {
  trialState.phase = 'stopped'
  throw new Interrupted()
}

/** Throws `Interrupted` unless a branch may now run a program, a check or a tool: its run's limits may forbid that. */
export function requireMayRun(branch: Branch): void {
  const { run, plan } = branch.trialState
  if (branch.signal.aborted) throw new Interrupted()
  if (run.runBudget?.mayCheck(plan.trial.cell.method.label) === false) stopTrial(branch.trialState)
}

/** Returns the first fields of a step of the method, with a duration of 0. */
export function stepHead<Kind extends Step['kind']>(
  { plan: { trial }, bill: { simulated } }: TrialState,
  kind: Kind,
  key: string,
  hash: string,
  at: number,
) {
  return {
    trial: trial.id,
    key,
    attempt: 1,
    kind,
    payer: 'method' as const,
    simulated,
    hash,
    at,
    durationMs: 0,
  }
}

/** Appends a step of a trial; does nothing on replay. */
export function writeStep({ run, journal }: TrialState, step: Step): void {
  run.journal?.step(step, journal.ledgerChecksum)
}

/** Appends the step of what ran in real time, and counts the time. */
export function writeTimedStep(trialState: TrialState, step: Step): void {
  writeStep(trialState, step)
  trialState.run.runBudget?.addTime(trialState.plan.trial.cell.method.label, step.durationMs)
}

/** Whether a replayed trial still has to reach the point where it broke: its branches may get there in another order. */
export function isReplayingBreak({ run, journal: { recorded } }: TrialState): boolean {
  return !run.journal && !run.signal.aborted && recorded?.broke !== undefined
}

/**
 * Takes the journaled step of an effect; undefined if the journal has no such step. A different hash is a divergence: on replay it ends
 * the trial, on resume it voids the trial's later steps and the trial goes on live. Without `describe`, the divergence names
 * the effect by its hash.
 */
export function takeRecordedStep(
  trialState: TrialState,
  key: string,
  attempt: number,
  hash: string,
  describe?: () => string,
  stage?: string,
): Step | undefined {
  const { run } = trialState
  const { recorded } = trialState.journal
  const name = recorded && stepName(key, attempt)
  const step = name === undefined ? undefined : recorded?.steps.get(name)
  // Steps written after an interrupt would be a divergence in the next session.
  if (isInterrupted(trialState) && !(step && isReplayingBreak(trialState))) throw new Interrupted()
  if (!recorded || name === undefined) return undefined
  if (step && step.hash === hash) {
    recorded.steps.delete(name)
    return step
  }
  if (!step && run.journal) return undefined
  if (!step && recorded.broke !== undefined) {
    const broken = new InfrastructureError(recorded.broke)
    trialState.phase = { broken }
    throw broken
  }
  const now = describe?.() ?? hash
  const what = step ? describeDifference(step, now) : `the journal has no such step. Now: ${shortText(now)}`
  divergence(trialState, { key, attempt, hash }, stage === undefined ? what : `in stage "${stage}": ${what}`)
  return undefined
}

/** Reports that an effect is another one than the journaled: on replay it ends the trial, on resume it voids the trial's later steps. */
export function divergence(
  trialState: TrialState,
  at: { key: string; attempt: number; hash: string },
  what: string,
): void {
  const message = `[trial ${trialState.plan.trial.id}, step ${at.key}, attempt ${at.attempt}] ${what}`
  if (!trialState.run.journal) throw new DivergenceError(message)
  const { recorded, divergences } = trialState.journal
  if (!recorded) return
  divergences.push(message)
  voidSteps(trialState, at, [...recorded.steps.keys()], message)
}

/** Calls `takeRecordedStep` for an effect of a branch. In a branch that lost a `first`, new effects throw `Interrupted`. */
export function takeBranchStep(
  branch: Branch,
  key: string,
  attempt: number,
  hash: string,
  describe: () => string,
): Step | undefined {
  if (branch.lost && isNew(branch.trialState, key, attempt)) throw new Interrupted()
  return takeRecordedStep(branch.trialState, key, attempt, hash, describe, branch.stage?.id)
}

/** Whether the journal has no step of an effect. */
export function isNew({ journal: { recorded } }: TrialState, key: string, attempt: number): boolean {
  return !recorded?.steps.has(stepName(key, attempt))
}

/** Describes the journaled steps that a replay did not use, one divergence each. */
export function describeUnusedSteps(trialState: TrialState): string[] {
  return [...(trialState.journal.recorded?.steps.values() ?? [])].map(
    (step) =>
      `[trial ${trialState.plan.trial.id}, step ${step.key}, attempt ${step.attempt}] journaled (${step.kind}), but not requested now`,
  )
}

/** Voids steps of an earlier session, by name: they no longer answer, but stay in the bill of the run. */
export function voidSteps(
  trialState: TrialState,
  at: { key: string; attempt: number; hash: string },
  names: string[],
  reason: string,
): void {
  writeStep(trialState, voidStep(trialState.plan.trial.id, at, names, reason))
  for (const name of names) trialState.journal.recorded?.steps.delete(name)
}
