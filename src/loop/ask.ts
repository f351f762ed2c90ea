import type { z } from 'zod'
import { AgentError, type AgentErrorReason, LimitError } from '../errors.ts'
import type { Redactor } from '../redact.ts'
import type { AskStep } from '../schema/step.ts'
import type { AskOptions } from '../strategy.ts'
import { tellAlerts } from './alerts.ts'
import { type Answered, askLive, tellAgain } from './ask-live.ts'
import type { Attempt } from './attempt.ts'
import { type Branch, beginEffect } from './branch.ts'
import { keepCandidate } from './candidates.ts'
import { answerOf, type TrialDoor } from './door.ts'
import { applyReply, type Delivered, replay } from './edits.ts'
import { instructionOf } from './preamble.ts'
import { refuse, refuseAttempt, usedOf, usedSince } from './refuse.ts'
import { composePrompt, formatOf, parseReply, repairPrompt, requestHash } from './request.ts'
import { retryDelay } from './retry.ts'
import { withTurn } from './session-turns.ts'
import { addCall } from './spending.ts'

type Options = AskOptions & { shape?: z.ZodType }

/**
 * The only door to an agent: limits, timing, one ledger line per attempt, edits taken over into the branch's
 * workspace, and data of the wanted shape with one repair turn.
 */
export async function ask(
  door: TrialDoor,
  branch: Branch,
  role: string,
  prompt: string,
  given?: Options,
): Promise<unknown> {
  const work = door.strategy.roles[role]
  if (!work)
    throw new Error(
      `[strategy ${door.strategy.name}] asks role "${role}", which it does not declare in roles.`,
    )
  const key = beginEffect(branch, `ask("${role}")`)
  try {
    const { run, trial } = door
    const { redact } = run
    const { agents, askLimits } = trial.cell
    const agent = run.agentFor(role, agents)
    const own = askLimits ? { ...given, limits: { ...askLimits, ...given?.limits } } : given
    const options = own && redact ? redactOptions(own, redact) : own
    const format = options?.shape ? formatOf(options.shape) : undefined
    const composed = composePrompt({
      work,
      instruction: instructionOf(door.task),
      prompt,
      context: options?.context,
      format,
    })
    const whole = redact ? redact.text(composed) : composed
    const call: Attempt = {
      agent,
      key,
      attempt: 1,
      hash: '',
      timeoutMs: undefined,
      repair: false,
      retries: 0,
      waitMs: 0,
      role,
      work,
      prompt: whole,
      schema: format?.schema,
      options,
      begun: options?.limits && usedOf(branch),
    }
    const asked = attempt(door, branch, call)
    // No turn of the queue where nothing is waited for: most asks of a dry run are answered at once.
    const first = asked instanceof Promise ? await asked : asked
    if (work === 'produce') {
      door.produced++
      branch.state.answer = first.text
      keepCandidate(door, branch, role, key)
    }
    if (!options?.shape) {
      remember(branch, call, first.text)
      return first.text
    }
    const parsed = parseReply(first.text, options.shape)
    if ('data' in parsed) {
      remember(branch, call, first.text, parsed.data)
      return parsed.data
    }
    call.attempt++
    call.repair = true
    call.retries = 0
    call.waitMs = 0
    call.prompt = repairPrompt(whole, first.text, parsed.problem)
    const again = await attempt(door, branch, call)
    const repaired = parseReply(again.text, options.shape)
    // The session goes on as if the reply had been right at once: the next turn needs no memory of the repair.
    call.prompt = whole
    if ('data' in repaired) {
      remember(branch, call, again.text, repaired.data)
      return repaired.data
    }
    remember(branch, call, again.text)
    throw new AgentError(
      'unparsable',
      `[agent ${agent.name}] gave no usable data as "${role}", also after one repair: ${repaired.problem}`,
    )
  } finally {
    branch.busy = false
  }
}

/** Attempts until one gives a reply, or none is left. Each is a step of its own; `call` is moved on from one to the next. */
function attempt(door: TrialDoor, branch: Branch, call: Attempt): Delivered | Promise<Delivered> {
  const hash = requestHash(call.agent.name, call.role, call.prompt, call.options)
  refuse(door, branch, 'ask', call.key, call.attempt, hash)
  refuseAttempt(door, branch, call, hash)

  call.hash = hash
  call.timeoutMs = timeLeft(door, branch, call)
  const recorded = answerOf(door, branch, call.key, call.attempt, hash, () => `${call.role}: ${call.prompt}`)
  const answered =
    recorded?.kind === 'ask' ? askedBefore(door, branch, call, recorded) : askLive(door, branch, call)
  return answered instanceof Promise
    ? answered.then((late) => settle(door, branch, call, late))
    : settle(door, branch, call, answered)
}

function askedBefore(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  step: AskStep,
): Answered | Promise<Answered> {
  if (step.replyHash === undefined) return { step, delivered: replay(door, branch, step) }
  return tellAgain(door, branch, call, step)
}

/** Puts an attempt on the clock and the bill, and its edits into the files; one that failed is made again, or thrown. */
function settle(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  { step, delivered }: Answered,
): Delivered | Promise<Delivered> {
  branch.clock += step.durationMs
  addCall(branch.bill, step)
  tellAlerts(door, branch)
  door.simulated ||= call.agent.simulated
  door.paid ||= call.agent.paid
  door.secret ||= step.replyHash !== undefined
  door.asked.push({ step, branch: branch.path, opened: branch.opened, text: delivered.text })
  if (step.error) {
    const waitMs = retryDelay(step, call.retries, door.trial.cell.retries ?? 0)
    if (waitMs === undefined) throw failureOf(door, branch, call, step)
    call.attempt++
    call.retries++
    call.waitMs = waitMs
    return attempt(door, branch, call)
  }
  applyReply(branch, delivered)
  return delivered
}

/** A shape is code, not text. */
function redactOptions({ shape, ...options }: Options, redact: Redactor): Options {
  return { ...redact.data(options), ...(shape && { shape }) }
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
    door.limited ??= `timeMs: ${reason}`
    return new LimitError('timeMs', reason)
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
  let left = call.options?.timeoutMs
  const ofAsk = call.options?.limits?.timeMs
  if (ofAsk !== undefined) left = Math.min(left ?? ofAsk, ofAsk - usedSince(branch, call).timeMs)
  if (timeMs !== undefined) left = Math.min(left ?? timeMs, timeMs - branch.clock)
  return left
}

/** What later asks of this branch may know of this one: who was asked, its data, its turn where it belongs to a session. */
function remember(
  branch: Branch,
  { role, work, prompt, options }: Attempt,
  reply: string,
  data?: unknown,
): void {
  const { state } = branch
  state.history = [...state.history, data === undefined ? { role, work } : { role, work, data }]
  if (options?.session !== undefined)
    state.sessions = withTurn(state.sessions, role, options.session, { prompt, reply })
}
