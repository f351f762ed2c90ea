import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from '../base/random.ts'
import type { FaultKind } from '../schema/agent/faults.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'

/** An attempt that a fault hits. */
interface Struck {
  agent: Agent
  request: AgentRequest
  signal: AbortSignal
  /** Seeded by the attempt. */
  random: Random
}

/** One thing that goes wrong on purpose: `instead` of asking the agent, or to the reply `after` it gave one. */
type Fault = {
  /** One line for `bench agents`. */
  summary: string
  /** What the attempt reports as used. */
  usage: string
} & (
  | { instead(struck: Struck): AgentReply | Promise<never> }
  | { after(reply: AgentReply, struck: Struck): AgentReply | Promise<AgentReply> }
)

/** All kinds, in the order in which they are listed and drawn. */
export const faults: Readonly<Record<FaultKind, Fault>> = {
  timeout: {
    summary: 'no reply until the time is up (10 minutes where none is set), without waiting; nobody is asked',
    usage: 'not reported',
    instead: ({ request: { timeoutMs = unlimitedMs } }) => timedOut(timeoutMs),
  },
  'rate-limit': {
    summary: 'HTTP 429 with retry-after, 1 to 3 s; nobody is asked',
    usage: '0',
    instead: ({ random }) => {
      const seconds = 1 + Math.floor(random() * 3)
      return refused({
        reason: 'quota',
        message: `injected: HTTP 429, retry after ${seconds} s`,
        retryAfterMs: seconds * 1000,
      })
    },
  },
  server: {
    summary: 'HTTP 500, 502, 503 or 529; nobody is asked',
    usage: '0',
    instead: ({ random }) =>
      refused({
        reason: 'server',
        message: `injected: HTTP ${[500, 502, 503, 529][Math.floor(random() * 4)]}`,
      }),
  },
  dropped: {
    summary: 'the reply breaks off in the middle of the stream, before its usage is told',
    usage: 'not reported',
    after: (reply, { random }) => {
      const share = random()
      return {
        ...untold({ reason: 'network', message: 'injected: the stream broke off' }),
        text: cut(reply.text, share),
        durationMs: Math.round(reply.durationMs * share),
      }
    },
  },
  exit: {
    summary: "the agent's process dies; nobody is asked",
    usage: 'not reported',
    instead: () => untold({ reason: 'exit', message: 'injected: the process of the agent died' }),
  },
  malformed: {
    summary: 'the reply is cut off, so that data in it does not parse',
    usage: 'as the agent reports it',
    after: (reply, { random }) => ({ ...reply, text: cut(reply.text, 0.1 + 0.8 * random()) }),
  },
  empty: {
    summary: 'the reply has no text, and no edits',
    usage: 'as the agent reports it',
    after: (reply) => ({
      ...reply,
      text: '',
      error: { reason: 'empty', message: 'injected: an empty reply' },
    }),
  },
  'wrong-blocks': {
    summary: 'the reply writes files outside the workspace, or leaves its last file block open',
    usage: 'as the agent reports it',
    after: (reply, { random }) => ({ ...reply, text: wrongBlocks(reply.text, random()) }),
  },
  slow: {
    summary: 'the reply takes 30 s longer, really so where time is real',
    usage: 'as the agent reports it; not reported when its time is up before',
    after: delayed,
  },
  kill: {
    summary: 'the harness itself dies by SIGKILL; by true chance, so that a resume gets past it',
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

/** The model never saw the request: nothing was used, and that is known. */
function refused(error: Failure): AgentReply {
  return { text: '', tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0, durationMs: 0, error }
}

/** Nobody told what was used. */
function untold(error: Failure): AgentReply {
  return {
    text: '',
    tokens: { input: null, output: null, cached: null },
    costUsd: null,
    durationMs: 0,
    error,
  }
}

function timedOut(timeoutMs: number): AgentReply {
  const error: Failure = { reason: 'timeout', message: `injected: no reply in ${timeoutMs} ms` }
  return { ...untold(error), durationMs: timeoutMs }
}

/** The beginning of a text: not all of it, and something of it where there are two characters. */
function cut(text: string, share: number): string {
  return text.slice(0, Math.min(Math.max(1, Math.floor(text.length * share)), text.length - 1))
}

const outside = ['../outside.txt', '/outside.txt', 'C:\\outside.txt', 'src/../../outside.txt']

/** One of five ways to write files wrongly: four paths that leave the workspace, and a last block that is never closed. */
function wrongBlocks(text: string, draw: number): string {
  const path = outside[Math.floor(draw * (outside.length + 1))]
  if (path === undefined) return `${text}\n\nFILE: open.txt\n\`\`\`\nnever closed\n`
  const moved = text.replace(/^(FILE|DELETE): .*$/gm, (_, verb: string) => `${verb}: ${path}`)
  return moved === text ? `${text}\n\nFILE: ${path}\n\`\`\`\noutside the workspace\n\`\`\`\n` : moved
}

async function delayed(reply: AgentReply, { agent, request, signal }: Struck): Promise<AgentReply> {
  const durationMs = reply.durationMs + slowMs
  if (agent.virtualTime) {
    const { timeoutMs = Number.POSITIVE_INFINITY } = request
    return durationMs <= timeoutMs ? { ...reply, durationMs } : timedOut(timeoutMs)
  }
  // Whether it is still in time is for the door's stopwatch to say.
  await wait(slowMs, undefined, { signal })
  return { ...reply, durationMs }
}
