import type { z } from 'zod'
import { AgentError, type AgentErrorReason, LimitError } from '../errors.ts'
import type { Redactor } from '../redact.ts'
import { weakestLevel } from '../sandbox/level.ts'
import type { AskStep } from '../schema/step.ts'
import type { AskOptions } from '../strategy.ts'
import { type Answered, askLive, tellAgain } from './ask-live.ts'
import type { Attempt } from './attempt.ts'
import { type Branch, beginEffect, freeze } from './branch.ts'
import { answerOf, type TrialDoor } from './door.ts'
import { applyReply, type Delivered, keepCandidate, replay } from './edits.ts'
import { checkOptions, checkText } from './handed.ts'
import { composePrompt, formatOf, instructionOf, parseReply, repairPrompt, requestHash } from './request.ts'
import { retryDelay } from './retry.ts'
import { withTurn } from './session-turns.ts'
import { addCall } from './spending.ts'
import { refuse, refuseAttempt, tellAlerts, tellLong, usedOf, usedSince } from './trial-limits.ts'

type Options = AskOptions & { shape?: z.ZodType }

/**
 * The only door to an agent: limits, timing, one ledger line per attempt, edits taken over into the branch's
 * workspace, and data of the wanted shape with one repair turn. An answer that is there at once leaves the branch busy.
 */
export function ask(door: TrialDoor, branch: Branch, role: string, prompt: string, given?: Options): unknown {
  const work = Object.hasOwn(door.roles, role) ? door.roles[role] : undefined
  if (!work)
    throw new Error(
      `[strategy ${door.strategy.name}] asks role "${role}", which it does not declare in roles.`,
    )
  if (typeof prompt !== 'string') checkText(`ask("${role}"): the prompt`, prompt)
  if (given) checkOptions(role, given)
  const key = beginEffect(branch, `ask("${role}")`)
  const end = () => {
    branch.busy = false
  }
  try {
    const answer = answerTo(door, branch, firstAttempt(door, branch, { key, role, work, prompt, given }))
    return answer instanceof Promise ? answer.finally(end) : answer
  } catch (error) {
    end()
    throw error
  }
}

/** What an ask of the strategy is to the agent, before it is sent. */
function firstAttempt(
  door: TrialDoor,
  branch: Branch,
  {
    key,
    role,
    work,
    prompt,
    given,
  }: Pick<Attempt, 'key' | 'role' | 'work' | 'prompt'> & { given: Options | undefined },
): Attempt {
  const { run, trial, task } = door
  const { redact } = run
  const { agents, askLimits } = trial.cell
  const own = askLimits ? { ...given, limits: { ...askLimits, ...given?.limits } } : given
  const options = own && redact ? redactOptions(own, redact) : own
  const format = options?.shape ? formatOf(options.shape) : undefined
  const instruction = instructionOf(task)
  const composed = composePrompt({ work, instruction, prompt, context: options?.context, format })
  return {
    agent: run.agentFor(role, agents),
    key,
    attempt: 1,
    hash: '',
    timeoutMs: undefined,
    repair: false,
    retries: 0,
    waitMs: 0,
    role,
    work,
    prompt: redact ? redact.text(composed) : composed,
    schema: format?.schema,
    options,
    begun: options?.limits && usedOf(branch),
  }
}

/** The answer that the strategy gets; at once where the agent answers at once, as in most asks of a dry run. */
function answerTo(door: TrialDoor, branch: Branch, call: Attempt): unknown {
  const asked = attempt(door, branch, call)
  return asked instanceof Promise
    ? asked.then((late) => taken(door, branch, call, late))
    : taken(door, branch, call, asked)
}

/** Text, or the data that were wanted. */
function taken(door: TrialDoor, branch: Branch, call: Attempt, { text }: Delivered): unknown {
  branch.answered = { key: call.key, role: call.role }
  if (call.work === 'produce') {
    door.produced++
    branch.state.answer = text
    keepCandidate(door, branch, call.role, call.key)
  }
  const shape = call.options?.shape
  if (!shape) {
    remember(branch, call, text)
    return text
  }
  const parsed = parseReply(text, shape)
  if ('problem' in parsed) return repaired(door, branch, call, shape, text, parsed.problem)
  remember(branch, call, text, parsed.data)
  return parsed.data
}

/** Asks once more where the reply held no such data. */
async function repaired(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  shape: z.ZodType,
  text: string,
  problem: string,
): Promise<unknown> {
  const whole = call.prompt
  call.attempt++
  call.repair = true
  call.retries = 0
  call.waitMs = 0
  call.prompt = repairPrompt(whole, text, problem)
  const again = await attempt(door, branch, call)
  const parsed = parseReply(again.text, shape)
  // The session goes on as if the reply had been right at once: the next turn needs no memory of the repair.
  call.prompt = whole
  if ('data' in parsed) {
    remember(branch, call, again.text, parsed.data)
    return parsed.data
  }
  remember(branch, call, again.text)
  throw new AgentError(
    'unparsable',
    `[agent ${call.agent.name}] gave no usable data as "${call.role}", also after one repair: ${parsed.problem}`,
  )
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
  door.paid ||= call.agent.paid
  if (step.sandbox !== undefined) door.level = weakestLevel([door.level, step.sandbox])
  door.secret ||= step.replyHash !== undefined
  door.asked.push({ step, branch: branch.path, opened: branch.opened, text: delivered.text })
  tellLong(door)
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
  const entry = data === undefined ? { role, work } : { role, work, data }
  state.history = state.history.length === 0 ? [entry] : [...state.history, entry]
  if (options?.session !== undefined)
    state.sessions = withTurn(state.sessions, role, options.session, { prompt, reply })
}
