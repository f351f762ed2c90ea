import type { AgentReply } from '../../agents/agent.ts'
import type { AskStep, Intent } from '../../schema/ledger/step.ts'
import { sha256 } from '../../text/canonical-json.ts'
import { DivergenceError, Interrupted } from '../branch/recorded-steps.ts'
import { type Branch, withheldText } from '../branch/trial-state.ts'
import { beginPaidCall, runUserCode } from '../branch/user-code.ts'
import type { Journal } from '../journal/journal.ts'
import { type AgentFolder, type Attempt, buildRequest } from './agent-request.ts'
import { callAgent } from './call-agent.ts'
import { emptyReply, isEmpty } from './check-reply.ts'
import { directed, type Seat, seatOf } from './hands.ts'
import {
  callWithinBudget,
  callWithinRate,
  estimateCallTokens,
  type LimitedCall,
  limitCall,
  pause,
  stopFields,
} from './limited-call.ts'
import { type BranchReply, readReply } from './reply-edits.ts'
import { checkCalls } from './tools.ts'

/** The result of an attempt: its step, and the reply with its edits. */
export interface AttemptResult {
  step: AskStep
  branchReply: BranchReply
}

/**
 * Sends an attempt after its retry wait, when the account's rate and the limits of the run allow it. The intent of a paid call
 * is synced before the call, and its result is written before it is used.
 */
export async function sendWithinLimits(branch: Branch, call: Attempt): Promise<AttemptResult> {
  const { trialState } = branch
  const { run, plan } = trialState
  const { journal, rateLimiter, runBudget } = run
  const { agent } = call
  const { account } = agent
  if (!journal)
    throw new DivergenceError(`[trial ${plan.trial.id}, step ${call.key}] the journal has no reply`)
  if (branch.signal.aborted) throw new Interrupted()
  if (call.waitMs > 0 && !agent.virtualTime) await pause(call.waitMs, branch.signal)

  // Only a program makes more than one request in a call.
  const limits = agent.isProgram ? limitCall(branch, call) : undefined
  const send = (waited: Attempt, seats: readonly Seat[]) =>
    agent.paid
      ? sendPaid(branch, waited, { journal, limits, seats })
      : callAndRecord(branch, waited, { journal, signal: branch.signal, limits, seats })
  const admit = (waited: Attempt, seats: readonly Seat[]) =>
    runBudget
      ? callWithinBudget(runBudget, trialState, (seat) => send(waited, [...seats, seat]), limits)
      : send(waited, seats)
  if (!rateLimiter || !account) return admit(call, [])
  const tokens = estimateCallTokens(branch, call)
  const begin = (waitedMs: number, seat: Seat) => admit({ ...call, waitMs: call.waitMs + waitedMs }, [seat])
  return callWithinRate(rateLimiter, account, trialState, tokens, branch.signal, begin)
}

interface Sending {
  journal: Journal
  limits: LimitedCall | undefined
  /** The places that the call takes. */
  seats: readonly Seat[]
}

async function sendPaid(branch: Branch, call: Attempt, sending: Sending): Promise<AttemptResult> {
  const { trialState } = branch
  const { journal } = sending
  const { key, attempt, agent, hash } = call
  const intent: Intent = {
    trial: trialState.plan.trial.id,
    key,
    attempt,
    kind: 'intent',
    agent: agent.name,
    hash,
  }
  trialState.bill.paid = true
  await journal.intent(intent, trialState.journal.ledgerChecksum)
  const paidCall = beginPaidCall(branch.signal)
  try {
    return await callAndRecord(branch, call, { ...sending, signal: paidCall.signal })
  } catch (error) {
    // The run goes on without this call's result, so only this step shows that it may have been charged.
    if (!trialState.run.signal.aborted) journal.step(lostStep(intent), trialState.journal.ledgerChecksum)
    throw error
  } finally {
    paidCall.end()
    journal.callEnded()
  }
}

async function callAndRecord(
  branch: Branch,
  asked: Attempt,
  { journal, signal, limits, seats }: Sending & { signal: AbortSignal },
): Promise<AttemptResult> {
  const { trialState } = branch
  const folder: AgentFolder = {}
  const { agent, hands } = asked
  const call = hands ? { ...asked, prompt: hands.withCalls(asked.prompt) } : asked
  const open = hands?.open(call.attempt, seatOf(seats))
  const request = buildRequest(branch, call, folder, { limits, stage: open?.stage })
  const stop = open ? AbortSignal.any([signal, open.signal]) : signal
  const begin = () => callAgent(agent, request, stop, trialState.run.redact)
  trialState.pendingCalls.add(call)
  try {
    const given = await (agent.userCode
      ? runUserCode(trialState, agent.name, begin)
      : hands
        ? directed(hands, begin)
        : begin())
    const reply = call.turn ? checkCalls(given, call.turn) : withoutCalls(given)
    // What a program that directs others changed is in its requests.
    const branchReply = call.isRequest
      ? { text: reply.text, changeSet: undefined, edits: [] }
      : readReply(branch, call, reply, hands ? undefined : folder.path)
    const step = { ...stepOf(branch, call, reply, branchReply), ...stopFields(limits?.stoppedBy) }
    journal.step(step, trialState.journal.ledgerChecksum)
    return { step, branchReply }
  } catch (error) {
    throw open?.failure() ?? error
  } finally {
    trialState.pendingCalls.delete(call)
    await open?.close()
    await folder.remove?.()
  }
}

/** Returns the reply of an agent that was given no tools: it has no calls. */
function withoutCalls({ toolCalls: _, message: __, ...reply }: AgentReply): AgentReply {
  return reply
}

/** Returns the step of an attempt. Undefined fields are not written. */
function stepOf(branch: Branch, call: Attempt, reply: AgentReply, { changeSet }: BranchReply): AskStep {
  const { trial, judgedWork } = branch.trialState.plan
  const { secret } = branch.trialState.journal
  const { options } = call
  return {
    trial: trial.id,
    key: call.key,
    attempt: call.attempt,
    kind: 'ask',
    payer: judgedWork ? 'grading' : 'method',
    hash: call.hash,
    at: branch.clock,
    durationMs: reply.durationMs,
    iteration: branch.iteration,
    role: call.role,
    work: call.work,
    purpose: options?.purpose,
    agent: call.agent.name,
    simulated: call.agent.simulated,
    sample: call.sample,
    prompt: secret ? withheldText : call.prompt,
    system: options?.system,
    session: options?.session,
    sessionScope: options?.sessionScope === 'trial' ? 'trial' : undefined,
    reply: reply.secret ? undefined : reply.text,
    replyHash: reply.secret ? sha256(reply.text) : undefined,
    toolCalls: reply.toolCalls && [...reply.toolCalls],
    message: reply.toolCalls && reply.message && [...reply.message],
    changeSet,
    tokens: reply.tokens,
    costUsd: reply.costUsd,
    listCostUsd: reply.listCostUsd,
    costSource: reply.costSource,
    usage: reply.usage,
    model: reply.model,
    models: reply.models,
    requests: reply.requests,
    estimated: reply.estimated,
    finish: reply.finish,
    reportedCostUsd: reply.reportedCostUsd,
    structured: reply.structured,
    continued: reply.continued,
    waitMs: call.waitMs,
    error:
      reply.error ?? (isEmpty(branch, call, reply, changeSet) ? emptyReply(reply, !!call.turn) : undefined),
    fault: reply.fault,
    repair: call.repair || undefined,
    retry: call.retries > 0 || undefined,
    sandbox: reply.sandbox,
    refused: reply.refused,
    providerTools: reply.providerTools && [...reply.providerTools],
  }
}

/** Repeats a free call whose reply is journaled by hash only. Throws `DivergenceError` when the reply differs. */
export async function repeatHashedCall(branch: Branch, call: Attempt, step: AskStep): Promise<AttemptResult> {
  const { agent, key } = call
  const folder: AgentFolder = {}
  const request = buildRequest(branch, call, folder)
  let reply: AgentReply
  try {
    reply = await callAgent(agent, request, branch.signal, branch.trialState.run.redact)
  } finally {
    await folder.remove?.()
  }
  if (sha256(reply.text) !== step.replyHash)
    throw new DivergenceError(
      `[trial ${branch.trialState.plan.trial.id}, step ${key}] ${agent.name} now gives a reply that differs from the one journaled by hash`,
    )
  return { step, branchReply: readReply(branch, call, reply, undefined) }
}

/** Returns the ledger entry of a call whose result was lost: possibly charged, billed to no method. */
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
