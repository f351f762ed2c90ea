import type { LimitStep } from '../../schema/ledger/step.ts'
import type { Budget, Limits } from '../../schema/limits.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { newAlerts, reachedLimit, type Unit, type Used } from '../budget/limits.ts'
import { roundedSum } from '../budget/spending.ts'
import { type Branch, freeze } from './branch.ts'
import { answerOf, type TrialState } from './trial-state.ts'

/**
 * Refuses an effect that a limit of the trial forbids: the refusal is a step, and the branch does nothing more.
 * Looks at the bill that was joined when the branch was opened plus its own, so that parallel branches cannot see each
 * other's timing; their overshoot is recorded.
 */
export function refuse(
  trialState: TrialState,
  branch: Branch,
  effect: 'ask' | 'check',
  key: string,
  attempt: number,
  hash: string,
): void {
  if (!isLimited(trialState)) return
  const reached = reachedLimit(trialState.trial.cell.limits, usedOf(branch), effect)
  if (!reached) return
  refusal(trialState, branch, { scope: 'trial', key, attempt, hash, ...reached })
  throw freeze(branch, new LimitError(reached.limit, reached.reason))
}

const isLimited = ({ trial }: TrialState) => Object.keys(trial.cell.limits).length > 0

/** What a limit of an ask looks at in an attempt of it. */
interface LimitedAttempt {
  key: string
  attempt: number
  role: string
  options: { limits?: Budget } | undefined
  begun: Used | undefined
}

/** Refuses a further attempt of an ask that has used what it may; the strategy sees that as the ask's failure. */
export function refuseAttempt(
  trialState: TrialState,
  branch: Branch,
  call: LimitedAttempt,
  hash: string,
): void {
  const limits = call.options?.limits
  if (!limits) return
  const reached = reachedLimit(limits, usedSince(branch, call), 'ask')
  if (!reached) return
  refusal(trialState, branch, { scope: 'ask', key: call.key, attempt: call.attempt, hash, ...reached })
  throw new AgentError(
    'limit',
    `[role ${call.role}] may not be asked again: ${reached.reason} (${reached.limit}, a limit of this ask)`,
  )
}

/** What an ask has used so far: while it lasts, nothing else adds to its branch. */
export function usedSince(branch: Branch, { begun }: LimitedAttempt): Used {
  const used = usedOf(branch)
  if (begun) for (const unit of Object.keys(used) as Unit[]) used[unit] = roundedSum(used[unit] - begun[unit])
  return used
}

function refusal(
  trialState: TrialState,
  branch: Branch,
  step: Pick<LimitStep, 'scope' | 'key' | 'attempt' | 'hash' | 'limit' | 'reason'>,
): void {
  const recorded = answerOf(
    trialState,
    branch,
    step.key,
    step.attempt,
    step.hash,
    () => `refused: ${step.reason}`,
  )
  if (recorded) return
  trialState.run.journal?.step(
    {
      trial: trialState.trial.id,
      kind: 'limit',
      payer: 'method',
      simulated: trialState.simulated,
      at: branch.clock,
      durationMs: 0,
      ...step,
    },
    trialState.ledgerChecksum,
  )
}

/** What a branch has used of everything that can be limited. */
export function usedOf({ bill, clock }: Branch): Used {
  return {
    calls: bill.calls,
    checks: bill.checks,
    tokens: bill.input + bill.output,
    costUsd: roundedSum(bill.costUsd),
    timeMs: clock,
  }
}

/** By how much a finished trial went past its limits; undefined when it did not. */
export function overshoot(limits: Limits, branch: Branch): Record<string, number> | undefined {
  const over = Object.entries(usedOf(branch)).flatMap(([name, value]) => {
    const limit = limits[name as Unit]
    return limit !== undefined && value > limit ? [[name, roundedSum(value - limit)] as const] : []
  })
  return over.length > 0 ? Object.fromEntries(over) : undefined
}

/** Tells once when a trial has used 50, 80 and 95 percent of a limit of its own: an event of the trial, never an end. */
export function tellAlerts(trialState: TrialState, branch: Branch): void {
  if (!isLimited(trialState)) return
  for (const alert of newAlerts(trialState.trial.cell.limits, usedOf(branch), trialState.alerted))
    trialState.run.event?.(trialState.trial.id, `${branch.path}!alert ${alert.limit} ${alert.percent}`, {
      type: 'alert',
      ...alert,
      simulated: trialState.simulated,
    })
}

const asksPerSign = 10_000

/** A sign of life of a trial that may ask for ever: after 10,000 attempts, and whenever they have doubled. */
export function tellLong({ asked: { length }, run, trial: { id, cell, epoch } }: TrialState): void {
  if (length % asksPerSign !== 0) return
  const times = length / asksPerSign
  if ((times & (times - 1)) !== 0) return
  run.warn?.(
    `${cell.method.label} has made ${length} calls in trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch}) and goes on; --limit calls=N ends such a trial`,
  )
}
