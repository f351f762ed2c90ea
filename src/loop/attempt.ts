import { AgentError, type AgentErrorReason, LimitError } from '../errors.ts'
import { weakestLevel } from '../sandbox/level.ts'
import type { AskStep } from '../schema/step.ts'
import { type Answered, type Attempt, askAgain, askLive } from './ask-live.ts'
import { type Branch, freeze } from './branch.ts'
import { answerOf, type TrialDoor } from './door.ts'
import { applyReply, replay } from './edits.ts'
import { requestHash } from './request.ts'
import { retryDelay } from './retry.ts'
import { addCall } from './spending.ts'
import { refuse, refuseAttempt, tellAlerts, tellLong, usedSince } from './trial-limits.ts'

/** An attempt that was answered, and the text of its reply. */
export interface Answer {
  call: Attempt
  text: string
}

/** Attempts until one gives a reply, whose edits are then in the branch's files. Throws when none is left. */
export async function askUntilAnswered(door: TrialDoor, branch: Branch, first: Attempt): Promise<Answer> {
  let call = first
  for (;;) {
    const { step, delivered } = await makeAttempt(door, branch, call)
    takeStep(door, branch, call, { step, delivered })
    if (!step.error) {
      applyReply(branch, delivered)
      return { call, text: delivered.text }
    }
    const waitMs = retryDelay(step, call.retries, door.trial.cell.retries ?? 0)
    if (waitMs === undefined) throw failureOf(door, branch, call, step)
    call = { ...call, attempt: call.attempt + 1, retries: call.retries + 1, waitMs }
  }
}

/** One attempt, a step of its own: refused by a limit, answered by the journal, or made. */
async function makeAttempt(door: TrialDoor, branch: Branch, call: Attempt): Promise<Answered> {
  const { key, attempt, role, prompt, agent, options } = call
  const hash = requestHash(agent.name, role, prompt, options)
  refuse(door, branch, 'ask', key, attempt, hash)
  refuseAttempt(door, branch, call, hash)
  const recorded = answerOf(door, branch, key, attempt, hash, () => `${role}: ${prompt}`)
  const timed = { ...call, hash, timeoutMs: timeLeft(door, branch, call) }
  if (recorded?.kind !== 'ask') return askLive(door, branch, timed)
  if (recorded.replyHash !== undefined) return askAgain(door, branch, timed, recorded)
  return { step: recorded, delivered: replay(door, branch, recorded) }
}

/** Puts an attempt on the clock and the bill of its branch, and into what is known of the trial. */
function takeStep(door: TrialDoor, branch: Branch, call: Attempt, { step, delivered }: Answered): void {
  branch.clock += step.durationMs
  addCall(branch.bill, step)
  tellAlerts(door, branch)
  door.paid ||= call.agent.paid
  if (step.sandbox !== undefined) door.level = weakestLevel([door.level, step.sandbox])
  door.secret ||= step.replyHash !== undefined
  door.asked.push({ step, branch: branch.path, opened: branch.opened, text: delivered.text })
  tellLong(door)
}

/** What the strategy is told of an ask whose last attempt failed. */
function failureOf(
  door: TrialDoor,
  branch: Branch,
  { retries }: Attempt,
  { agent, role, error }: AskStep,
): Error {
  const { timeMs } = door.trial.cell.limits
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

/** The time that an attempt may take: the least of its own and what is left of the ask's and of the trial's. */
function timeLeft(door: TrialDoor, branch: Branch, call: Attempt): number | undefined {
  const { timeMs } = door.trial.cell.limits
  const ofAsk = call.options?.limits?.timeMs
  const left = [
    call.options?.timeoutMs,
    ofAsk !== undefined ? ofAsk - usedSince(branch, call).timeMs : undefined,
    timeMs !== undefined ? timeMs - branch.clock : undefined,
  ].filter((ms) => ms !== undefined)
  return left.length > 0 ? Math.min(...left) : undefined
}
