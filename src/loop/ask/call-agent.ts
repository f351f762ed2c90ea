import type { Agent, AgentReply, AgentRequest } from '../../agents/agent.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import { cleanJson, cleanText, wellFormed } from '../../replies/clean-data.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import { InfrastructureError } from '../../text/errors.ts'
import type { Redactor } from '../../text/redact.ts'
import { shorten } from '../../text/shorten.ts'
import { Interrupted } from '../branch/recorded-steps.ts'
import { checkReply, unknownTokens } from './check-reply.ts'

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
    const checked = cleanReply(checkReply(reply, redact))
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
      // A program that waits for others is measured by its sandbox.
      if (timeoutMs !== undefined && !request.stage)
        timer = setTimeout(expire, Math.min(waitMs, longestTimer), timeoutMs)
      // What comes after an interrupt or the timeout changes nothing any more.
      callOrInterrupt(agent, request, call.signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', interrupt)
  }
}

function timedOut(timeoutMs: number, durationMs: number): AgentReply {
  return {
    text: '',
    tokens: unknownTokens,
    costUsd: null,
    durationMs: Math.max(timeoutMs, Math.round(durationMs)),
    error: { reason: 'timeout', message: `no reply in ${timeoutMs} ms` },
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
