import { setTimeout as wait } from 'node:timers/promises'
import { type Random, seededRandom } from '../base/random.ts'
import { type FaultKind, type FaultRates, sumOf } from '../schema/agent/faults.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'

interface FaultedAttempt {
  agent: Agent
  request: AgentRequest
  signal: AbortSignal
  /** Seeded by the attempt. */
  random: Random
}

/** One kind of fault: it replaces the call (`instead`) or changes the reply (`after`). */
type Fault = {
  /** One line for `bench agents`. */
  summary: string
  /** The tokens that the attempt reports. */
  usage: string
} & (
  | { instead(attempt: FaultedAttempt): AgentReply | Promise<never> }
  | { after(reply: AgentReply, attempt: FaultedAttempt): AgentReply | Promise<AgentReply> }
)

/** All kinds of faults, in the order in which they are listed and drawn. */
export const faults: Readonly<Record<FaultKind, Fault>> = {
  timeout: {
    summary:
      'no reply within the time limit (10 minutes if none is set), without really waiting; the agent is not asked',
    usage: 'not reported',
    instead: ({ request: { timeoutMs = unlimitedMs } }) => timeoutReply(timeoutMs),
  },
  'rate-limit': {
    summary: 'HTTP 429 with retry-after, 1 to 3 s; the agent is not asked',
    usage: '0',
    instead: ({ random }) => {
      const seconds = 1 + Math.floor(random() * 3)
      return refusedReply({
        reason: 'quota',
        message: `injected: HTTP 429, retry after ${seconds} s`,
        retryAfterMs: seconds * 1000,
      })
    },
  },
  server: {
    summary: 'HTTP 500, 502, 503 or 529; the agent is not asked',
    usage: '0',
    instead: ({ random }) =>
      refusedReply({
        reason: 'server',
        message: `injected: HTTP ${[500, 502, 503, 529][Math.floor(random() * 4)]}`,
      }),
  },
  dropped: {
    summary: 'the stream of the reply breaks off before it reports its usage',
    usage: 'not reported',
    after: (reply, { random }) => {
      const share = random()
      return {
        ...unreportedReply({ reason: 'network', message: 'injected: the stream broke off' }),
        text: cut(reply.text, share),
        durationMs: Math.round(reply.durationMs * share),
      }
    },
  },
  exit: {
    summary: "the agent's process dies; the agent is not asked",
    usage: 'not reported',
    instead: () => unreportedReply({ reason: 'exit', message: 'injected: the process of the agent died' }),
  },
  malformed: {
    summary: 'the reply is cut off, so that its data does not parse',
    usage: 'as the agent reports it',
    after: (reply, { random }) => ({ ...reply, text: cut(reply.text, 0.1 + 0.8 * random()) }),
  },
  empty: {
    summary: 'the reply has no text and no edits',
    usage: 'as the agent reports it',
    after: (reply) => ({
      ...reply,
      text: '',
      error: { reason: 'empty', message: 'injected: an empty reply' },
    }),
  },
  'wrong-blocks': {
    summary: 'the reply writes files outside the workspace or leaves its last file block open',
    usage: 'as the agent reports it',
    after: (reply, { random }) => ({ ...reply, text: wrongBlocks(reply.text, random()) }),
  },
  slow: {
    summary: 'the reply takes 30 s longer; in live mode it really does',
    usage: 'as the agent reports it; not reported if it exceeds the time limit',
    after: delayReply,
  },
  kill: {
    summary: 'SIGKILL ends the harness itself; unseeded, so that a resumed run can get past it',
    usage: 'none',
    instead: () => {
      process.kill(process.pid, 'SIGKILL')
      return new Promise(() => {})
    },
  },
}

const unlimitedMs = 600_000
const slowMs = 30_000

type Failure = NonNullable<AgentReply['error']>

/** Returns a reply of a refused request. The model never saw it, so its usage is known to be 0. */
function refusedReply(error: Failure): AgentReply {
  return { text: '', tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0, durationMs: 0, error }
}

function unreportedReply(error: Failure): AgentReply {
  return {
    text: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    durationMs: 0,
    error,
  }
}

function timeoutReply(timeoutMs: number): AgentReply {
  const error: Failure = { reason: 'timeout', message: `injected: no reply in ${timeoutMs} ms` }
  return { ...unreportedReply(error), durationMs: timeoutMs }
}

function cut(text: string, share: number): string {
  return text.slice(0, Math.min(Math.max(1, Math.floor(text.length * share)), text.length - 1))
}

const outside = ['../outside.txt', '/outside.txt', 'C:\\outside.txt', 'src/../../outside.txt']

/** Writes files wrongly in one of five ways: four paths outside the workspace, or a last heading without a block. */
function wrongBlocks(text: string, draw: number): string {
  const path = outside[Math.floor(draw * (outside.length + 1))]
  if (path === undefined) return `${text}\n\nFILE: missing.txt\n\nThe file follows.\n`
  const moved = text.replace(/^(FILE|DELETE): .*$/gm, (_, verb: string) => `${verb}: ${path}`)
  return moved === text ? `${text}\n\nFILE: ${path}\n\`\`\`\noutside the workspace\n\`\`\`\n` : moved
}

async function delayReply(
  reply: AgentReply,
  { agent, request, signal }: FaultedAttempt,
): Promise<AgentReply> {
  const durationMs = reply.durationMs + slowMs
  if (agent.virtualTime) {
    const { timeoutMs = Number.POSITIVE_INFINITY } = request
    return durationMs <= timeoutMs ? { ...reply, durationMs } : timeoutReply(timeoutMs)
  }
  // The caller's timer decides whether the reply is still in time.
  await wait(slowMs, undefined, { signal })
  return { ...reply, durationMs }
}

/**
 * Wraps an agent so that it fails at the given rates. The fault of an attempt depends only on the trial, the ask's key and
 * the attempt, so equal runs fail equally, whatever runs beside them; only `kill` is not seeded. Returns the agent itself
 * if no rate is above 0.
 */
export function injectFaults(agent: Agent, rates: FaultRates): Agent {
  if (sumOf(rates) === 0) return agent
  const { kill = 0, ...seeded } = rates
  return {
    ...agent,
    async ask(request, signal) {
      const { id, key, rerun } = request.trial
      const random = seededRandom(`fault/${id}/${key}/${request.attempt}/${rerun}`)
      const kind = Math.random() < kill ? 'kill' : drawFault(seeded, random)
      return kind === undefined
        ? agent.ask(request, signal)
        : applyFault(kind, agent, request, signal, random)
    },
  }
}

async function applyFault(
  kind: FaultKind,
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  random: Random,
): Promise<AgentReply> {
  signal.throwIfAborted()
  const fault = faults[kind]
  const call = { agent, request, signal, random }
  if ('instead' in fault) return { ...(await fault.instead(call)), fault: kind }
  const reply = await agent.ask(request, signal)
  // An attempt that failed by itself gets no second failure.
  return reply.error ? reply : { ...(await fault.after(reply, call)), fault: kind }
}

function drawFault(rates: FaultRates, random: Random): FaultKind | undefined {
  let draw = random()
  for (const kind in faults) {
    draw -= rates[kind as FaultKind] ?? 0
    if (draw < 0) return kind as FaultKind
  }
  return undefined
}
