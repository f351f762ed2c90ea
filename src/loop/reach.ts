import type { Agent, AgentReply, AgentRequest } from '../agents/agent.ts'
import { InfrastructureError } from '../errors.ts'
import { longestTimer } from '../longest-timer.ts'
import type { Redactor } from '../redact.ts'
import { shorten } from '../shorten.ts'
import { checkedReply } from './checked-reply.ts'
import { Interrupted } from './door.ts'

/** Calls the agent under the harness's own stopwatch: a timeout is recorded, whatever the agent does about it. */
export function reach(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  redact: Redactor | undefined,
): AgentReply | Promise<AgentReply> {
  return redact
    ? redacted(() => called(agent, request, signal, redact), redact)
    : called(agent, request, signal)
}

function called(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  redact?: Redactor,
): AgentReply | Promise<AgentReply> {
  if (!agent.virtualTime) return cutOff(agent, request, signal, redact)
  try {
    const reply = agent.ask(request, signal)
    return reply instanceof Promise ? settle(agent, reply, signal, redact) : checkedReply(reply, redact)
  } catch (error) {
    throw failureOf(agent, error, signal)
  }
}

/** An agent knows its key, and may say it: in its text, or in the words of its failure. */
function redacted(
  call: () => AgentReply | Promise<AgentReply>,
  redact: Redactor,
): AgentReply | Promise<AgentReply> {
  const fail = (error: unknown): never => {
    throw failureWithoutSecrets(error, redact)
  }
  try {
    const reply = call()
    if (!(reply instanceof Promise)) return withoutSecrets(reply, redact)
    return reply.then((late) => withoutSecrets(late, redact), fail)
  } catch (error) {
    return fail(error)
  }
}

function withoutSecrets(reply: AgentReply, redact: Redactor): AgentReply {
  const values = Object.values(reply) as unknown[]
  const clean = redact.data(values)
  if (clean === values && !reply.error) return reply
  const { error, ...rest } = Object.fromEntries(
    Object.keys(reply).map((field, i) => [field, clean[i]]),
  ) as unknown as AgentReply
  // Its adapter may have cut a long one.
  if (!error) return rest
  const { message, stack } = error
  return {
    ...rest,
    error: {
      ...error,
      message: redact.cut(message),
      ...(stack !== undefined && { stack: redact.cut(stack) }),
    },
  }
}

function failureWithoutSecrets(error: unknown, redact: Redactor): unknown {
  if (!(error instanceof InfrastructureError)) return error
  const { message, cause } = error
  return new InfrastructureError(redact.text(message), {
    cause: redact.text(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)),
  })
}

/** An adapter may be deaf to abort: neither a timeout nor a Ctrl-C may wait for it. */
async function cutOff(
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  redact: Redactor | undefined,
): Promise<AgentReply> {
  const { timeoutMs } = request
  const started = performance.now()
  const call = new AbortController()
  let timer: NodeJS.Timeout | undefined
  let interrupt = () => {}
  const expired = new Promise<AgentReply>((resolve, reject) => {
    interrupt = () => {
      call.abort()
      reject(new Interrupted())
    }
    if (signal.aborted) return interrupt()
    signal.addEventListener('abort', interrupt)
    if (timeoutMs === undefined) return
    timer = setTimeout(
      () => {
        call.abort()
        resolve(timedOut(timeoutMs, performance.now() - started))
      },
      Math.min(timeoutMs, longestTimer),
    )
  })
  const reply = settle(agent, begin(agent, request, call.signal), call.signal, redact)
  // Whoever loses the race may still fail later, and nobody waits for it then.
  reply.catch(() => {})
  expired.catch(() => {})
  try {
    return await Promise.race([expired, reply])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', interrupt)
  }
}

function timedOut(timeoutMs: number, durationMs: number): AgentReply {
  return {
    text: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    durationMs: Math.max(timeoutMs, Math.round(durationMs)),
    error: { reason: 'timeout', message: `no reply in ${timeoutMs} ms` },
  }
}

async function begin(agent: Agent, request: AgentRequest, signal: AbortSignal): Promise<AgentReply> {
  return agent.ask(request, signal)
}

async function settle(
  agent: Agent,
  asked: Promise<AgentReply>,
  signal: AbortSignal,
  redact: Redactor | undefined,
): Promise<AgentReply> {
  let reply: AgentReply
  try {
    reply = await asked
  } catch (error) {
    throw failureOf(agent, error, signal)
  }
  if (signal.aborted && !reply.text) throw new Interrupted()
  return checkedReply(reply, redact)
}

function failureOf(agent: Agent, error: unknown, signal: AbortSignal): Error {
  if (signal.aborted) return new Interrupted()
  return new InfrastructureError(
    `[agent ${agent.name}] the adapter broke: ${shorten((error as Error).message)}`,
    {
      cause: error,
    },
  )
}
