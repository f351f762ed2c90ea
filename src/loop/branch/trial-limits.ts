import type { LimitStep } from '../../schema/ledger/step.ts'
import type { Budget, Limits } from '../../schema/limits.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { newAlerts, reachedLimit, type Unit, type Used } from '../budget/limits.ts'
import { roundedSum } from '../budget/spending.ts'
import { freeze } from './branch.ts'
import { stepHead, takeBranchStep, writeStep } from './recorded-steps.ts'
import type { Branch, TrialState } from './trial-state.ts'

/**
 * Throws `LimitError` when a limit of the trial forbids the effect; the refusal is a step, and the branch does nothing more.
 * It compares the limit with the branch's own bill, which does not include parallel branches, so the result does not depend
 * on their timing. The overshoot is recorded.
 */
export function enforceTrialLimits(
  branch: Branch,
  effect: 'ask' | 'check' | 'stage',
  key: string,
  attempt: number,
  hash: string,
): void {
  if (!isLimited(branch.trialState)) return
  const reached = reachedLimit(branch.trialState.plan.trial.cell.limits, usedOf(branch), effect)
  if (!reached) return
  recordRefusal(branch, { scope: 'trial', key, attempt, hash, ...reached })
  throw freeze(branch, new LimitError(reached.limit, reached.reason))
}

const isLimited = ({ plan: { trial } }: TrialState) => Object.keys(trial.cell.limits).length > 0

/** The parts of an attempt that a limit of its ask needs. */
interface LimitedAttempt {
  key: string
  attempt: number
  role: string
  options: { limits?: Budget } | undefined
  usedBefore: Used | undefined
}

/** Throws `AgentError` when the ask has used up a limit of its own; the strategy sees a failed ask. */
export function enforceAskLimits(branch: Branch, call: LimitedAttempt, hash: string): void {
  const limits = call.options?.limits
  if (!limits) return
  const reached = reachedLimit(limits, usedSince(branch, call), 'ask')
  if (!reached) return
  recordRefusal(branch, { scope: 'ask', key: call.key, attempt: call.attempt, hash, ...reached })
  throw new AgentError(
    'limit',
    `[role ${call.role}] may not be asked again: ${reached.reason} (${reached.limit}, a limit of this ask)`,
  )
}

/** Returns what an ask has used so far. While it runs, nothing else adds to its branch's bill. */
export function usedSince(branch: Branch, { usedBefore }: LimitedAttempt): Used {
  const used = usedOf(branch)
  if (usedBefore)
    for (const unit of Object.keys(used) as Unit[]) used[unit] = roundedSum(used[unit] - usedBefore[unit])
  return used
}

function recordRefusal(
  branch: Branch,
  refusal: Pick<LimitStep, 'scope' | 'key' | 'attempt' | 'hash' | 'limit' | 'reason'>,
): void {
  const { key, attempt, hash, reason } = refusal
  const { trialState } = branch
  if (takeBranchStep(branch, key, attempt, hash, () => `refused: ${reason}`)) return
  writeStep(trialState, { ...stepHead(trialState, 'limit', key, hash, branch.clock), ...refusal })
}

/** Returns what a branch has used of each unit that can be limited. */
export function usedOf({ bill, clock }: Branch): Used {
  return {
    calls: bill.calls + bill.furtherRequests,
    checks: bill.checks,
    tokens: bill.input + bill.output + bill.estimatedTokens,
    costUsd: roundedSum(bill.costUsd + bill.estimatedUsd),
    timeMs: clock,
  }
}

/** Returns by how much a finished trial exceeded its limits; undefined when it did not. */
export function overshoot(limits: Limits, branch: Branch): Record<string, number> | undefined {
  const used = usedOf(branch)
  const units = (Object.keys(used) as Unit[]).filter((unit) => used[unit] > (limits[unit] ?? Infinity))
  if (units.length === 0) return undefined
  return Object.fromEntries(units.map((unit) => [unit, roundedSum(used[unit] - (limits[unit] ?? 0))]))
}

/** Reports once each when a trial has used 50, 80 and 95 percent of one of its limits: a trace event, nothing else. */
export function reportAlerts(branch: Branch): void {
  const { trialState } = branch
  if (!isLimited(trialState)) return
  for (const alert of newAlerts(
    trialState.plan.trial.cell.limits,
    usedOf(branch),
    trialState.bill.reportedAlerts,
  ))
    trialState.run.event?.(trialState.plan.trial.id, `${branch.path}!alert ${alert.limit} ${alert.percent}`, {
      type: 'alert',
      ...alert,
      simulated: trialState.bill.simulated,
    })
}

const callsPerReport = 10_000

/** Warns about a trial that may ask for ever: after 10,000 attempts, and each time the number has doubled. */
export function reportManyCalls({
  journal: {
    asked: { length },
  },
  run,
  plan: {
    trial: { id, cell, epoch },
  },
}: TrialState): void {
  if (length % callsPerReport !== 0) return
  const times = length / callsPerReport
  if ((times & (times - 1)) !== 0) return
  run.warn?.(
    `${cell.method.label} has made ${length} calls in trial ${id.slice(0, 12)} (${cell.task}, epoch ${epoch}) and goes on; --limit calls=N ends such a trial`,
  )
}
