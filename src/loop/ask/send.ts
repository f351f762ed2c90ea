import type { AgentReply } from '../../agents/agent.ts'
import type { AskStep, Intent } from '../../schema/ledger/step.ts'
import { sha256 } from '../../text/canonical-json.ts'
import type { Journal } from '../journal/journal.ts'
import type { Branch } from '../state/branch.ts'
import { DivergenceError, Interrupted, notKept, type TrialState, withheld } from '../state/trial-state.ts'
import { onBehalfOf } from '../state/user-code.ts'
import { type Attempt, expectedTokens, type OpenFolder, requestOf } from './agent-request.ts'
import { callAgent } from './call-agent.ts'
import { admitted, gated } from './call-limits.ts'
import { type Delivered, takeReply } from './reply-edits.ts'
import { pause } from './retry.ts'

/** An attempt that has an answer: its step, and what the reply is to the branch. */
export interface Answered {
  step: AskStep
  delivered: Delivered
}

/**
 * Makes an attempt when its retry, the rate of the agent's account and the limits of the run allow it. A paid call's intent is
 * durable before it, its result written before it is used.
 */
export async function askLive(trialState: TrialState, branch: Branch, call: Attempt): Promise<Answered> {
  const { run, trial } = trialState
  const { journal, rateLimiter, runBudget } = run
  const { agent } = call
  const { account } = agent
  if (!journal) throw new DivergenceError(`[trial ${trial.id}, step ${call.key}] the journal holds no reply`)
  if (branch.signal.aborted) throw new Interrupted()
  if (call.waitMs > 0 && !agent.virtualTime) await pause(call.waitMs, branch.signal)

  const send = (waited: Attempt) =>
    agent.paid ? askPaid(trialState, branch, waited, journal) : askOnce(trialState, branch, waited, journal)
  const admit = (waited: Attempt) =>
    runBudget ? admitted(runBudget, trialState, () => send(waited)) : send(waited)
  if (!rateLimiter || !account) return admit(call)
  return gated(rateLimiter, account, trialState, expectedTokens(branch, call), branch.signal, (waitedMs) =>
    admit({ ...call, waitMs: call.waitMs + waitedMs }),
  )
}

async function askPaid(
  trialState: TrialState,
  branch: Branch,
  call: Attempt,
  journal: Journal,
): Promise<Answered> {
  const { key, attempt, agent, hash } = call
  const intent: Intent = { trial: trialState.trial.id, key, attempt, kind: 'intent', agent: agent.name, hash }
  trialState.paid = true
  await journal.intent(intent, trialState.ledgerChecksum)
  try {
    return await askOnce(trialState, branch, call, journal)
  } catch (error) {
    // The run goes on without this call's result: nobody else would tell that it may have been paid.
    if (!trialState.run.signal.aborted) journal.step(lostStep(intent), trialState.ledgerChecksum)
    throw error
  } finally {
    journal.callEnded()
  }
}

/** One call of the agent, with its step in the journal. */
async function askOnce(
  trialState: TrialState,
  branch: Branch,
  call: Attempt,
  journal: Journal,
): Promise<Answered> {
  const folder: OpenFolder = {}
  const request = requestOf(trialState, branch, call, folder)
  const { agent } = call
  const begin = () => callAgent(agent, request, branch.signal, trialState.run.redact)
  trialState.awaited.add(call)
  try {
    const reply = await (agent.ownCode ? onBehalfOf(trialState, agent.name, begin) : begin())
    const delivered = takeReply(trialState, branch, call.work, reply, folder.path)
    const step = stepOf(trialState, branch, call, reply, delivered)
    journal.step(step, trialState.ledgerChecksum)
    return { step, delivered }
  } finally {
    trialState.awaited.delete(call)
    await folder.remove?.()
  }
}

/** The step of an attempt. Fields that are undefined are not written. */
function stepOf(
  { trial, run: { capture }, secret }: TrialState,
  branch: Branch,
  call: Attempt,
  reply: AgentReply,
  { text, changeSet }: Delivered,
): AskStep {
  const { options } = call
  const isKept = capture?.prompts !== false
  const isEmpty = text.trim() === '' && !changeSet?.changes.length
  return {
    trial: trial.id,
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
    purpose: options?.purpose,
    agent: call.agent.name,
    simulated: call.agent.simulated,
    prompt: secret ? withheld : isKept ? call.prompt : notKept,
    system: isKept || options?.system === undefined ? options?.system : notKept,
    session: options?.session,
    reply: reply.secret ? undefined : reply.text,
    replyHash: reply.secret ? sha256(reply.text) : undefined,
    changeSet,
    tokens: reply.tokens,
    costUsd: reply.costUsd,
    listCostUsd: reply.listCostUsd,
    costSource: reply.costSource,
    usage: capture?.usage === false ? undefined : reply.usage,
    model: reply.model,
    reportedCostUsd: reply.reportedCostUsd,
    continued: reply.continued,
    waitMs: call.waitMs,
    error: reply.error ?? (isEmpty ? { reason: 'empty', message: 'gave an empty reply' } : undefined),
    fault: reply.fault,
    repair: call.repair || undefined,
    retry: call.retries > 0 || undefined,
    sandbox: reply.sandbox,
  }
}

/** A reply that only its hash may stand for is asked for again; it costs nothing and must be the same. */
export async function askAgain(
  trialState: TrialState,
  branch: Branch,
  call: Attempt,
  step: AskStep,
): Promise<Answered> {
  const { agent, key, work } = call
  const folder: OpenFolder = {}
  const request = requestOf(trialState, branch, call, folder)
  let reply: AgentReply
  try {
    reply = await callAgent(agent, request, branch.signal, trialState.run.redact)
  } finally {
    await folder.remove?.()
  }
  if (sha256(reply.text) !== step.replyHash)
    throw new DivergenceError(
      `[trial ${trialState.trial.id}, step ${key}] ${agent.name} now replies something else than was journaled by hash`,
    )
  return { step, delivered: takeReply(trialState, branch, work, reply, undefined) }
}

/** A call whose result was never seen stands in the ledger as one: it may have been paid, on nobody's bill. */
export function lostStep({ trial, key, attempt, agent, hash }: Intent): AskStep {
  return {
    trial,
    key,
    attempt,
    kind: 'ask',
    payer: 'void',
    hash,
    at: 0,
    durationMs: 0,
    role: '',
    work: 'produce',
    agent,
    simulated: false,
    prompt: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    waitMs: 0,
    maybePaid: true,
  }
}
