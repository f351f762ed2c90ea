import { z } from 'zod'
import type { Agent, AgentReply, AgentRequest } from '../../agents/agent.ts'
import { isTooLong, tooLongReply } from '../../agents/reply-size.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import { cleanJson, cleanText } from '../../replies/clean-text.ts'
import { wellFormed } from '../../replies/well-formed.ts'
import { Finish } from '../../schema/ledger/finish.ts'
import { describeType } from '../../schema/method/ask-options.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { ToolCall } from '../../schema/tool/tool-call.ts'
import { InfrastructureError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { shorten } from '../../text/shorten.ts'
import { failures } from '../budget/failures.ts'
import { Interrupted } from '../state/recorded-steps.ts'

/**
 * Calls the agent and measures the time itself: a timeout is recorded even if the agent ignores it. Cleans the texts of the reply, and
 * removes secrets from them and from error messages. Throws `InfrastructureError` if the adapter breaks, and `Interrupted` if `signal`
 * aborts.
 */
export async function callAgent(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  redact: Redactor | undefined,
): Promise<AgentReply> {
  try {
    const reply = agent.virtualTime
      ? await callOrInterrupt(agent, request, signal)
      : await callWithTimeout(agent, request, signal)
    const checked = cleanReply(checkReply(isTooLong(reply) ? withoutContent(reply) : reply, redact))
    return redact ? withoutSecrets(checked, redact) : checked
  } catch (error) {
    throw redact && error instanceof InfrastructureError ? failureWithoutSecrets(error, redact) : error
  }
}

async function callOrInterrupt(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<AgentReply> {
  try {
    const reply = await agent.ask(request, signal)
    if (!signal.aborted || reply?.text || reply?.toolCalls) return reply
  } catch (error) {
    if (!signal.aborted)
      throw new InfrastructureError(
        `[agent ${agent.name}] the adapter broke: ${shorten((error as Error).message)}`,
        { cause: error },
      )
  }
  throw new Interrupted()
}

/**
 * How much longer than its timeout a program is waited for; ms. The sandbox ends it at the timeout, with all that it has started.
 * Only when that is done may its folders be removed and another ask begin, and only then are its tokens known.
 */
const programEndMs = 10_000

/** Calls the agent and stops waiting at its timeout or an interrupt, since an adapter may ignore the abort signal. */
async function callWithTimeout(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
): Promise<AgentReply> {
  const { timeoutMs } = request
  const started = performance.now()
  const call = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let interrupt = () => {}
  try {
    return await new Promise<AgentReply>((resolve, reject) => {
      interrupt = () => {
        call.abort()
        reject(new Interrupted())
      }
      if (signal.aborted) interrupt()
      else signal.addEventListener('abort', interrupt)
      const expire = (timeoutMs: number) => {
        call.abort()
        resolve(timedOut(timeoutMs, performance.now() - started))
      }
      const waitMs = (timeoutMs ?? 0) + (agent.isProgram ? programEndMs : 0)
      if (timeoutMs !== undefined) timer = setTimeout(expire, Math.min(waitMs, longestTimer), timeoutMs)
      // What comes after an interrupt or the timeout changes nothing any more.
      callOrInterrupt(agent, request, call.signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', interrupt)
  }
}

/** Returns what a reply that is too long costs. */
const withoutContent = ({
  tokens,
  costUsd,
  listCostUsd,
  costSource,
  reportedCostUsd,
  durationMs,
}: AgentReply) =>
  ({
    ...{ text: '', tokens, costUsd, durationMs, costSource, error: tooLongReply },
    ...(listCostUsd !== undefined && { listCostUsd }),
    ...(reportedCostUsd !== undefined && { reportedCostUsd }),
  }) satisfies AgentReply

const unknownTokens: Tokens = { input: null, output: null, cached: null }

function timedOut(timeoutMs: number, durationMs: number): AgentReply {
  return {
    text: '',
    tokens: unknownTokens,
    costUsd: null,
    durationMs: Math.max(timeoutMs, Math.round(durationMs)),
    error: { reason: 'timeout', message: `no reply in ${timeoutMs} ms` },
  }
}

// Sums beyond the safe integers are not exact.
const Amount = z.number().min(0).max(Number.MAX_SAFE_INTEGER)
/** Dollars of one call; none costs a million. */
const Cost = z.number().min(0).max(1e6)
/** Tokens of one call, or of all requests of a program; none has ten thousand million. */
const Count = z.int().min(0).max(1e10)

/** The fields of a reply that go into sums and the ledger. */
const Checked = z.object({
  text: z.string(),
  toolCalls: z.array(ToolCall).optional(),
  message: z.array(z.record(z.string(), z.unknown())).optional(),
  tokens: z.object({
    input: Count.nullable(),
    output: Count.nullable(),
    cached: Count.nullable(),
    cacheWrite: Count.optional(),
    cacheWriteHour: Count.optional(),
    reasoning: Count.optional(),
  }),
  costUsd: Cost.nullable(),
  listCostUsd: Cost.optional(),
  reportedCostUsd: Cost.optional(),
  finish: Finish.optional(),
  durationMs: Amount,
  error: z
    .object({
      reason: z.enum(Object.keys(failures)),
      message: z.string(),
      retryAfterMs: Amount.optional(),
      stack: z.string().optional(),
    })
    .optional(),
})

/**
 * Validates a reply for the ledger. An adapter may be a user's script or pass on a server's numbers: a negative price would
 * pay for other calls, and a string in place of a number would make the run folder unreadable. An invalid reply becomes an
 * error with reason `exit` and unknown cost. A part larger than its whole (`cached` above `input`) counts as not reported.
 */
function checkReply(reply: AgentReply, redact: Redactor | undefined): AgentReply {
  const [issue] = Checked.safeParse(reply).error?.issues ?? []
  if (!issue) return { ...reply, tokens: possibleTokens(reply.tokens) }
  return {
    text: '',
    tokens: unknownTokens,
    costUsd: null,
    durationMs: Amount.safeParse((reply as AgentReply | undefined)?.durationMs).data ?? 0,
    error: {
      reason: 'exit',
      message: `the adapter broke: its reply has ${problemOf(reply, issue.path, redact)}`,
    },
  }
}

function problemOf(reply: AgentReply, path: readonly PropertyKey[], redact: Redactor | undefined): string {
  const value = path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown>)[key], reply)
  const shown = show(value, redact)
  const field = path.join('.')
  if (field === '') return `nothing in it (${shown})`
  if (field === 'text') return `a text that is ${shown}`
  const isText = typeof value === 'string'
  if (field === 'error' || field === 'error.message' || (field === 'error.reason' && !isText))
    return 'an error without a reason or a message'
  if (field === 'error.reason')
    return `the unknown error reason ${shown} (known: ${Object.keys(failures).join(', ')}): ${show(reply.error?.message, redact)}`
  return field === 'error.stack' ? `an error's stack ${shown}` : `${field.replace('error.', '')} ${shown}`
}

/** Drops token counts that contradict each other: a server or script may count by its own rules. */
function possibleTokens(tokens: Tokens): Tokens {
  const { input, output, cached, cacheWrite, cacheWriteHour, reasoning } = tokens
  const possible: Tokens = { input, output, cached, cacheWrite, cacheWriteHour, reasoning }
  const fits = (part = 0, whole: number | null = 0) => whole === null || part <= whole
  if (!fits((cached ?? 0) + (cacheWrite ?? 0), input)) {
    possible.cached = null
    delete possible.cacheWrite
    delete possible.cacheWriteHour
  } else if (!fits(cacheWriteHour, cacheWrite)) delete possible.cacheWriteHour
  if (!fits(reasoning, output)) delete possible.reasoning
  return possible
}

function show(value: unknown, redact: Redactor | undefined): string {
  const whole = typeof value === 'string' ? JSON.stringify(value) : textOf(value)
  const clean = redact ? redact.text(whole) : whole
  return clean.length <= 50 ? clean : `${clean.slice(0, 50)}…`
}

/** Converts a value to a string; some objects throw on conversion, and get the name of their type. */
function textOf(value: unknown): string {
  try {
    return String(value)
  } catch {
    return describeType(value)
  }
}

function failureWithoutSecrets(
  { message, cause }: InfrastructureError,
  redact: Redactor,
): InfrastructureError {
  return new InfrastructureError(redact.text(message), {
    cause: redact.text(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
  })
}

/**
 * Cleans the texts of a reply. What a provider wants back as it came, such as signed reasoning, keeps its line ends: only halves of
 * surrogate pairs are replaced, without which no server takes it back.
 */
function cleanReply(reply: AgentReply): AgentReply {
  const { text, toolCalls, error, ...others } = reply
  return {
    ...wellFormed(others),
    text: cleanText(text),
    ...(toolCalls && { toolCalls: toolCalls.map(cleanCall) }),
    ...(error && { error: { ...wellFormed(error), message: cleanText(error.message) } }),
  }
}

const cleanCall = ({ name, arguments: json, ...others }: ToolCall): ToolCall => ({
  ...wellFormed(others),
  name: cleanText(name),
  arguments: cleanJson(json),
})

/** Removes secrets from the texts of a reply. */
function withoutSecrets(reply: AgentReply, redact: Redactor): AgentReply {
  const { error, ...rest } = reply
  const clean = redact.data(rest)
  if (!error) return clean
  // The adapter may have cut a long message, and a secret in it.
  const known = redact.data(error)
  const { message, stack } = known
  return {
    ...clean,
    error: {
      ...known,
      message: redact.cut(message),
      ...(stack !== undefined && { stack: redact.cut(stack) }),
    },
  }
}
