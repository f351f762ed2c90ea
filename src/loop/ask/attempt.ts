import { weakestLevel } from '../../sandbox/level.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import { AgentError, type AgentErrorReason, InfrastructureError, LimitError } from '../../text/errors.ts'
import { freeze } from '../branch/branch.ts'
import { spoil, takeBranchStep } from '../branch/recorded-steps.ts'
import {
  enforceAskLimits,
  enforceTrialLimits,
  reportAlerts,
  reportManyCalls,
} from '../branch/trial-limits.ts'
import type { Branch } from '../branch/trial-state.ts'
import { applyEdits, type State } from '../branch/workspace.ts'
import { retryDelay } from '../budget/failures.ts'
import { addCall } from '../budget/spending.ts'
import { type Attempt, askTimeLeft } from './agent-request.ts'
import { replayReply } from './reply-edits.ts'
import { type AttemptResult, repeatHashedCall, sendWithinLimits } from './send.ts'

/** An attempt that got a reply, and the reply's text. A turn that asks for calls of tools has them in its step. */
export interface AnsweredAttempt {
  call: Attempt
  text: string
  step: AskStep
  /** Whether the reply is empty and may be repaired; it has changed nothing yet. */
  isEmpty?: boolean
}

/** Repeats an attempt while its failure may be retried, and applies the reply's edits. Throws when no retry is left. */
export async function askWithRetries(branch: Branch, first: Attempt): Promise<AnsweredAttempt> {
  let call = first
  for (;;) {
    const { step, branchReply } = await replayOrSend(branch, call)
    applyStep(branch, call, { step, branchReply })
    if (!step.error) {
      if (!step.toolCalls) {
        if (call.turn) takeDraft(branch, call.turn.draft)
        const { changeSet, edits } = branchReply
        if (changeSet) applyEdits(branch.state, edits, changeSet.source)
      }
      return { call, text: branchReply.text, step }
    }
    if (mayBeRepaired(call, step)) return { call, text: '', step, isEmpty: true }
    const waitMs = retryDelay(step, call.retries, branch.trialState.plan.trial.cell.retries ?? 0)
    if (waitMs === undefined || isTimeUp(branch, call)) throw failureOf(branch, call, step)
    call = { ...call, attempt: call.attempt + 1, retries: call.retries + 1, waitMs }
  }
}

/**
 * Whether no time is left for a retry. The failure then stands as it is: a program may have spent the whole time on an outage of its
 * provider, which is no limit that the method has reached.
 */
const isTimeUp = (branch: Branch, call: Attempt) => (askTimeLeft(branch, call) ?? 1) <= 0

/**
 * Whether the ask gets its repair: the reply of a role that judges, decides or summarises is empty. A role that produces may have had
 * nothing to do.
 */
const mayBeRepaired = ({ work, repair }: Attempt, { error }: AskStep) =>
  work !== 'produce' && !repair && error?.reason === 'empty'

/** Makes one attempt: applies the limits, then takes its step from the journal, or sends it. */
async function replayOrSend(branch: Branch, call: Attempt): Promise<AttemptResult> {
  const { key, attempt, role, prompt, hash } = call
  enforceTrialLimits(branch, 'ask', key, attempt, hash)
  enforceAskLimits(branch, call, hash)
  await call.hands?.repeat(attempt)
  const recorded = takeBranchStep(branch, key, attempt, hash, () => `${role}: ${prompt}`)
  if (recorded?.kind !== 'ask') return sendWithinLimits(branch, call)
  if (recorded.replyHash !== undefined) return repeatHashedCall(branch, call, recorded)
  return { step: recorded, branchReply: replayReply(branch, call, recorded) }
}

/** Gives the branch what the calls of an ask have changed, since its agent has answered. */
export function takeDraft({ state }: Branch, { changed, shared }: State): void {
  state.changed = changed
  state.shared = shared
}

function applyStep(branch: Branch, call: Attempt, { step, branchReply }: AttemptResult): void {
  const { trialState } = branch
  branch.clock += step.durationMs
  addCall(branch.bill, step)
  reportAlerts(branch)
  trialState.bill.paid ||= call.agent.paid
  if (step.sandbox !== undefined)
    trialState.journal.level = weakestLevel([trialState.journal.level, step.sandbox])
  trialState.journal.secret ||= step.replyHash !== undefined
  const { path, openedAt, stage } = branch
  trialState.journal.asked.push({ step, branch: path, openedAt, stageAt: stage?.at, text: branchReply.text })
  reportManyCalls(trialState)
}

function failureOf(
  branch: Branch,
  { retries, repair }: Attempt,
  { agent, role, error, stoppedBy }: AskStep,
): Error {
  if (stoppedBy?.scope === 'trial') {
    const reason = `${stoppedBy.reason}; ${agent} as "${role}" was ended`
    return freeze(branch, new LimitError(stoppedBy.limit, reason))
  }
  const { timeMs } = branch.trialState.plan.trial.cell.limits
  if (error?.reason === 'timeout' && timeMs !== undefined && branch.clock >= timeMs) {
    const reason = `${timeMs} ms used; the reply of ${agent} as "${role}" was cut off`
    return freeze(branch, new LimitError('timeMs', reason))
  }
  if (error?.reason === 'missing')
    return spoil(
      branch.trialState,
      new InfrastructureError(`missing: [agent ${agent}] ${error.message} (as "${role}")`),
    )
  const last = `${repair ? ', also after one repair' : ''}${retries > 0 ? `, the last of ${retries + 1} attempts` : ''}`
  return new AgentError(
    error?.reason as AgentErrorReason,
    `[agent ${agent}] ${error?.message} (as "${role}"${last})`,
  )
}
