import type { z } from 'zod'
import type { Agent, AgentRequest } from '../agents/agent.ts'
import { sha256 } from '../canonical.ts'
import { AgentError, type AgentErrorReason, LimitError } from '../errors.ts'
import type { AskStep } from '../schema/step.ts'
import type { AskOptions } from '../strategy.ts'
import { agentWorkspace, type OpenFolder } from './agent-workspace.ts'
import { tellAlerts } from './alerts.ts'
import { type Branch, beginEffect } from './branch.ts'
import { DivergenceError, fromJournal, Interrupted, type TrialDoor, withheld } from './door.ts'
import { applyReply, type Delivered, replay, takeFolder } from './edits.ts'
import { refuse } from './limits.ts'
import { instructionOf } from './preamble.ts'
import { reach } from './reach.ts'
import { composePrompt, formatOf, parseReply, repairPrompt, requestHash } from './request.ts'
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
  options?: Options,
): Promise<unknown> {
  const work = door.strategy.roles[role]
  if (!work)
    throw new Error(
      `[strategy ${door.strategy.name}] asks role "${role}", which it does not declare in roles.`,
    )
  const key = beginEffect(branch, `ask("${role}")`)
  try {
    const format = options?.shape ? formatOf(options.shape) : undefined
    const whole = composePrompt({
      work,
      instruction: instructionOf(door.task),
      prompt,
      context: options?.context,
      format,
    })
    const first = await attempt(door, branch, {
      key,
      attempt: 1,
      role,
      work,
      prompt: whole,
      schema: format?.schema,
      options,
    })
    if (work === 'produce') {
      door.produced++
      branch.state.answer = first.text
    }
    if (!options?.shape) {
      remember(branch, role, work)
      return first.text
    }
    const parsed = parseReply(first.text, options.shape)
    if ('data' in parsed) {
      remember(branch, role, work, parsed.data)
      return parsed.data
    }
    const again = await attempt(door, branch, {
      key,
      attempt: 2,
      role,
      work,
      prompt: repairPrompt(whole, first.text, parsed.problem),
      schema: format?.schema,
      options,
    })
    const repaired = parseReply(again.text, options.shape)
    if ('data' in repaired) {
      remember(branch, role, work, repaired.data)
      return repaired.data
    }
    remember(branch, role, work)
    throw new AgentError(
      'unparsable',
      `[agent ${door.run.agentFor(role).name}] gave no usable data as "${role}", also after one repair: ${repaired.problem}`,
    )
  } finally {
    branch.busy = false
  }
}

interface Attempt {
  key: string
  attempt: number
  role: string
  work: AskStep['work']
  prompt: string
  schema: AgentRequest['schema'] | undefined
  options: Options | undefined
}

async function attempt(door: TrialDoor, branch: Branch, call: Attempt): Promise<{ text: string }> {
  const { run, trial } = door
  const agent = run.agentFor(call.role)
  const hash = requestHash(agent.name, call.role, call.prompt, call.options)
  refuse(door, branch, 'ask', call.key, call.attempt, hash)

  const timeoutMs = timeLeft(door, branch, call.options?.timeoutMs)
  const recorded = fromJournal(door, call.key, call.attempt, hash, () => `${call.role}: ${call.prompt}`)
  let step: AskStep
  let delivered: Delivered
  if (recorded?.kind === 'ask') {
    step = recorded
    delivered =
      step.replyHash === undefined
        ? replay(door, branch, step)
        : await tellAgain(door, branch, agent, call, step, timeoutMs)
  } else {
    if (branch.lost) throw new Interrupted()
    ;({ step, delivered } = await live(door, branch, agent, call, hash, timeoutMs))
  }

  branch.clock += step.durationMs
  addCall(branch.bill, step.tokens, step.costUsd)
  tellAlerts(door, branch)
  door.simulated ||= agent.simulated
  door.paid ||= agent.paid
  door.secret ||= step.replyHash !== undefined
  door.asked.push({ step, branch: branch.path, text: delivered.text })
  if (step.error) {
    const { limits } = trial.cell
    if (step.error.reason === 'timeout' && limits.timeMs !== undefined && branch.clock >= limits.timeMs) {
      const reason = `${limits.timeMs} ms used; the reply of ${agent.name} as "${call.role}" was cut off`
      door.limited ??= `timeMs: ${reason}`
      throw new LimitError('timeMs', reason)
    }
    throw new AgentError(
      step.error.reason as AgentErrorReason,
      `[agent ${agent.name}] ${step.error.message} (as "${call.role}")`,
    )
  }
  applyReply(branch, delivered)
  return { text: delivered.text }
}

/** Asks for real: a paid call's intent is durable before it, its result before it is used. */
async function live(
  door: TrialDoor,
  branch: Branch,
  agent: Agent,
  call: Attempt,
  hash: string,
  timeoutMs: number | undefined,
): Promise<{ step: AskStep; delivered: Delivered }> {
  const { run, trial } = door
  const { journal } = run
  if (!journal) throw new DivergenceError(`[trial ${trial.id}, step ${call.key}] the journal holds no reply`)
  if (branch.signal.aborted) throw new Interrupted()
  if (agent.paid)
    await journal.intent({ trial: trial.id, key: call.key, attempt: call.attempt, agent: agent.name, hash })

  const folder: OpenFolder = {}
  try {
    const reply = await reach(agent, requestOf(door, branch, call, timeoutMs, folder), branch.signal)
    const delivered: Delivered = reply.error
      ? { text: reply.text, changeSet: undefined, edits: [] }
      : takeFolder(door, branch, call.work, reply.text, folder.path)
    const error =
      reply.error ??
      (isEmpty(delivered) ? { reason: 'empty' as const, message: 'gave an empty reply' } : undefined)
    // Fields that are undefined are not written; one shape for all keeps this path fast.
    const step: AskStep = {
      trial: trial.id,
      key: call.key,
      attempt: call.attempt,
      kind: 'ask',
      payer: 'method',
      hash,
      at: branch.clock,
      durationMs: reply.durationMs,
      iteration: branch.iteration,
      role: call.role,
      work: call.work,
      agent: agent.name,
      simulated: agent.simulated,
      prompt: door.secret ? withheld : call.prompt,
      system: call.options?.system,
      session: call.options?.session,
      reply: reply.secret ? undefined : reply.text,
      replyHash: reply.secret ? sha256(reply.text) : undefined,
      changeSet: delivered.changeSet,
      tokens: reply.tokens,
      costUsd: reply.costUsd,
      waitMs: 0,
      error,
      repair: call.attempt > 1 ? true : undefined,
    }
    journal.step(step)
    if (agent.paid) await journal.syncSteps()
    return { step, delivered }
  } finally {
    folder.remove?.()
  }
}

/** A reply that only its hash may stand for is asked for again; it costs nothing and must be the same. */
async function tellAgain(
  door: TrialDoor,
  branch: Branch,
  agent: Agent,
  call: Attempt,
  step: AskStep,
  timeoutMs: number | undefined,
): Promise<Delivered> {
  const folder: OpenFolder = {}
  const reply = await reach(agent, requestOf(door, branch, call, timeoutMs, folder), branch.signal)
  folder.remove?.()
  if (sha256(reply.text) !== step.replyHash)
    throw new DivergenceError(
      `[trial ${door.trial.id}, step ${call.key}] ${agent.name} now replies something else than was journaled by hash`,
    )
  return takeFolder(door, branch, call.work, reply.text, undefined)
}

function requestOf(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  timeoutMs: number | undefined,
  folder: OpenFolder,
): AgentRequest {
  const { cell, id, epoch } = door.trial
  const { options } = call
  return {
    role: call.role,
    work: call.work,
    prompt: call.prompt,
    system: options?.system,
    session: options?.session,
    tools: options?.tools ?? [],
    maxOutput: options?.maxOutput,
    timeoutMs,
    schema: call.schema,
    attempt: call.attempt,
    repair: call.attempt > 1,
    trial: {
      id,
      task: cell.task,
      method: cell.method.label,
      strategy: door.strategy.name,
      epoch,
      seed: cell.seed,
      key: call.key,
    },
    roles: door.strategy.roles,
    history: branch.state.history,
    workspace: agentWorkspace(door, branch, folder),
  }
}

function timeLeft(door: TrialDoor, branch: Branch, asked: number | undefined): number | undefined {
  const { timeMs } = door.trial.cell.limits
  if (timeMs === undefined) return asked
  const left = timeMs - branch.clock
  return asked === undefined ? left : Math.min(asked, left)
}

function isEmpty({ text, changeSet }: Delivered): boolean {
  return text.trim() === '' && !changeSet?.changes.length
}

function remember(branch: Branch, role: string, work: AskStep['work'], data?: unknown): void {
  branch.state.history = [...branch.state.history, data === undefined ? { role, work } : { role, work, data }]
}
