import { weakestLevel } from '../../sandbox/level.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { AgentError, type AgentErrorReason, LimitError } from '../../text/errors.ts'
import { addCall } from '../budget/spending.ts'
import { type Branch, freeze } from '../state/branch.ts'
import { enforceAskLimits, enforceTrialLimits, reportAlerts, reportManyCalls } from '../state/trial-limits.ts'
import { type TrialState, takeBranchStep } from '../state/trial-state.ts'
import type { Attempt } from './agent-request.ts'
import { applyReply, replayReply } from './reply-edits.ts'
import { retryDelay } from './retry.ts'
import { type AttemptResult, repeatHashedCall, sendWithinLimits } from './send.ts'

/** An attempt that was answered, and the text of its reply. */
export interface AnsweredAttempt {
  call: Attempt
  text: string
}

/** Attempts until one gives a reply, whose edits are then in the branch's files. Throws when none is left. */
export async function askWithRetries(
  trialState: TrialState,
  branch: Branch,
  first: Attempt,
): Promise<AnsweredAttempt> {
  let call = first
  for (;;) {
    const { step, branchReply } = await replayOrSend(trialState, branch, call)
    applyStep(trialState, branch, call, { step, branchReply })
    if (!step.error) {
      applyReply(branch, branchReply)
      return { call, text: branchReply.text }
    }
    const waitMs = retryDelay(step, call.retries, trialState.trial.cell.retries ?? 0)
    if (waitMs === undefined) throw failureOf(trialState, branch, call, step)
    call = { ...call, attempt: call.attempt + 1, retries: call.retries + 1, waitMs }
  }
}

/** One attempt, a step of its own: refused by a limit, answered by the journal, or made. */
async function replayOrSend(trialState: TrialState, branch: Branch, call: Attempt): Promise<AttemptResult> {
  const { key, attempt, role, prompt, hash } = call
  enforceTrialLimits(trialState, branch, 'ask', key, attempt, hash)
  enforceAskLimits(trialState, branch, call, hash)
  const recorded = takeBranchStep(trialState, branch, key, attempt, hash, () => `${role}: ${prompt}`)
  if (recorded?.kind !== 'ask') return sendWithinLimits(trialState, branch, call)
  if (recorded.replyHash !== undefined) return repeatHashedCall(trialState, branch, call, recorded)
  return { step: recorded, branchReply: replayReply(trialState, branch, recorded) }
}

/** Puts an attempt on the clock and the bill of its branch, and into what is known of the trial. */
function applyStep(
  trialState: TrialState,
  branch: Branch,
  call: Attempt,
  { step, branchReply }: AttemptResult,
): void {
  branch.clock += step.durationMs
  addCall(branch.bill, step)
  reportAlerts(trialState, branch)
  trialState.paid ||= call.agent.paid
  if (step.sandbox !== undefined) trialState.level = weakestLevel([trialState.level, step.sandbox])
  trialState.secret ||= step.replyHash !== undefined
  trialState.asked.push({ step, branch: branch.path, openedAt: branch.openedAt, text: branchReply.text })
  reportManyCalls(trialState)
}

/** What the strategy is told of an ask whose last attempt failed. */
function failureOf(
  trialState: TrialState,
  branch: Branch,
  { retries }: Attempt,
  { agent, role, error }: AskStep,
): Error {
  const { timeMs } = trialState.trial.cell.limits
  if (error?.reason === 'timeout' && timeMs !== undefined && branch.clock >= timeMs) {
    const reason = `${timeMs} ms used; the reply of ${agent} as "${role}" was cut off`
    return freeze(branch, new LimitError('timeMs', reason))
  }
  const last = retries > 0 ? `, the last of ${retries + 1} attempts` : ''
  return new AgentError(
    error?.reason as AgentErrorReason,
    `[agent ${agent}] ${error?.message} (as "${role}"${last})`,
  )
}
