import type { AgentReply } from '../agents/agent.ts'
import { sha256 } from '../canonical.ts'
import type { AskStep, Intent } from '../schema/step.ts'
import type { OpenFolder } from './agent-workspace.ts'
import { type Attempt, expectedTokens, requestOf } from './attempt.ts'
import type { Branch } from './branch.ts'
import { admitted, gated } from './call-limits.ts'
import { DivergenceError, Interrupted, notKept, type TrialDoor, withheld } from './door.ts'
import { type Delivered, takeReply } from './edits.ts'
import type { Journal } from './journal.ts'
import { lostStep } from './lost-step.ts'
import { onBehalfOf } from './own-code.ts'
import { reach } from './reach.ts'
import { pause } from './retry.ts'

/** An attempt that has an answer: its step, and what the reply is to the branch. */
export interface Answered {
  step: AskStep
  delivered: Delivered
}

/** Asks for real: a paid call's intent is durable before it, its result written before it is used. */
export function askLive(door: TrialDoor, branch: Branch, call: Attempt): Answered | Promise<Answered> {
  const { run, trial } = door
  const { journal } = run
  if (!journal) throw new DivergenceError(`[trial ${trial.id}, step ${call.key}] the journal holds no reply`)
  if (branch.signal.aborted) throw new Interrupted()
  if (call.waitMs > 0 && !call.agent.virtualTime)
    return pause(call.waitMs, branch.signal).then(() => askInTurn(door, branch, call, journal))
  return askInTurn(door, branch, call, journal)
}

/** Asks when the rate of the agent's account allows it; agents without one have nobody to wait for. */
function askInTurn(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  journal: Journal,
): Answered | Promise<Answered> {
  const { gate } = door.run
  const { account } = call.agent
  if (!gate || !account) return askNow(door, branch, call, journal)
  return gated(gate, account, door, expectedTokens(branch, call), branch.signal, (waitedMs) =>
    askNow(door, branch, { ...call, waitMs: call.waitMs + waitedMs }, journal),
  )
}

function askNow(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  journal: Journal,
): Answered | Promise<Answered> {
  const { admission } = door.run
  const ask = call.agent.paid ? askPaid : askOnce
  if (admission) return admitted(admission, door, () => ask(door, branch, call, journal))
  return ask(door, branch, call, journal)
}

async function askPaid(door: TrialDoor, branch: Branch, call: Attempt, journal: Journal): Promise<Answered> {
  const { key, attempt, agent, hash } = call
  const intent: Intent = { trial: door.trial.id, key, attempt, kind: 'intent', agent: agent.name, hash }
  door.paid = true
  await journal.intent(intent, door.mark)
  try {
    return await askOnce(door, branch, call, journal)
  } catch (error) {
    // The run goes on without this call's result: nobody else would tell that it may have been paid.
    if (!door.run.signal.aborted) journal.step(lostStep(intent), door.mark)
    throw error
  } finally {
    journal.answered()
  }
}

/** One call of the agent with its step in the journal; at once where the agent answers at once. */
function askOnce(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  journal: Journal,
): Answered | Promise<Answered> {
  const folder: OpenFolder = {}
  const request = requestOf(door, branch, call, folder)
  const { redact } = door.run
  const reply = call.agent.ownCode
    ? onBehalfOf(door, call.agent.name, () => reach(call.agent, request, branch.signal, redact))
    : reach(call.agent, request, branch.signal, redact)
  if (!(reply instanceof Promise)) return journaled(door, branch, call, reply, folder, journal)
  door.awaited ??= new Set()
  door.awaited.add(call)
  return reply
    .then((late) => journaled(door, branch, call, late, folder, journal))
    .finally(() => {
      door.awaited?.delete(call)
      return folder.remove?.()
    })
}

function journaled(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  reply: AgentReply,
  folder: OpenFolder,
  journal: Journal,
): Answered {
  const isKept = door.run.capture?.prompts !== false
  const delivered = takeReply(door, branch, call.work, reply, folder.path)
  const error =
    reply.error ??
    (isEmpty(delivered) ? { reason: 'empty' as const, message: 'gave an empty reply' } : undefined)
  // Fields that are undefined are not written; one shape for all keeps this path fast.
  const step: AskStep = {
    trial: door.trial.id,
    key: call.key,
    attempt: call.attempt,
    kind: 'ask',
    payer: 'method',
    hash: call.hash,
    at: branch.clock,
    durationMs: reply.durationMs,
    iteration: branch.iteration,
    role: call.role,
    work: call.work,
    purpose: call.options?.purpose,
    agent: call.agent.name,
    simulated: call.agent.simulated,
    prompt: door.secret ? withheld : isKept ? call.prompt : notKept,
    system: isKept || call.options?.system === undefined ? call.options?.system : notKept,
    session: call.options?.session,
    reply: reply.secret ? undefined : reply.text,
    replyHash: reply.secret ? sha256(reply.text) : undefined,
    changeSet: delivered.changeSet,
    tokens: reply.tokens,
    costUsd: reply.costUsd,
    listCostUsd: reply.listCostUsd,
    costSource: reply.costSource,
    usage: door.run.capture?.usage === false ? undefined : reply.usage,
    model: reply.model,
    reportedCostUsd: reply.reportedCostUsd,
    continued: reply.continued,
    waitMs: call.waitMs,
    error,
    fault: reply.fault,
    repair: call.repair ? true : undefined,
    retry: call.retries > 0 ? true : undefined,
    sandbox: reply.sandbox,
  }
  journal.step(step, door.mark)
  return { step, delivered }
}

/** A reply that only its hash may stand for is asked for again; it costs nothing and must be the same. */
export async function tellAgain(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  step: AskStep,
): Promise<Answered> {
  const folder: OpenFolder = {}
  const { agent } = call
  const request = requestOf(door, branch, call, folder)
  let reply: AgentReply
  try {
    reply = await reach(agent, request, branch.signal, door.run.redact)
  } finally {
    await folder.remove?.()
  }
  if (sha256(reply.text) !== step.replyHash)
    throw new DivergenceError(
      `[trial ${door.trial.id}, step ${call.key}] ${agent.name} now replies something else than was journaled by hash`,
    )
  return { step, delivered: takeReply(door, branch, call.work, reply, undefined) }
}

function isEmpty({ text, changeSet }: Delivered): boolean {
  return text.trim() === '' && !changeSet?.changes.length
}
