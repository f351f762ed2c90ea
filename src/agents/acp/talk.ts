import { setTimeout } from 'node:timers/promises'
import type { ClientContext } from '@agentclientprotocol/sdk'
import { loadPackage } from '../../base/load-package.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import type { ProgramStreams } from '../../sandbox/sandbox.ts'
import { causeOf, endMessage, tellingLine } from '../cli/cause.ts'
import { failureReading } from '../cli/explain-error.ts'
import {
  type CliCall,
  type CliOutput,
  type CliReading,
  type CliTalk,
  cancelMs,
  type TalkStart,
} from '../cli/kind.ts'
import { type Json, objectAt, textAt } from '../wire/json.ts'
import { unreportedTokens } from '../wire/read-usage.ts'
import { answerRequests } from './answer-requests.ts'
import { createHeard, tokensOf } from './heard.ts'
import { openMessages } from './message-stream.ts'
import { Broken, brokenBy, createAsker, type Opened, openAgent, openSession } from './open-session.ts'

/** The package of the protocol: an optional peer of bench. */
export const acpPackage = '@agentclientprotocol/sdk'

/** Returns the package, which is loaded with the first agent. Throws what `require` throws if it is not installed. */
const loadAcp = () => loadPackage(acpPackage) as typeof import('@agentclientprotocol/sdk')

interface TalkOptions extends Omit<TalkStart, 'prompt'>, Pick<CliCall, 'session' | 'contained'> {
  /** Its program, for messages. */
  program: string
  /** Absent: the agent is asked who it is, and nothing more. */
  prompt?: string
  /** The variable from which it reads its key, if known. */
  keyInside?: string | undefined
  onOpened?(opened: Opened): void
}

/** How long the agent may take to end by itself when its input has ended; ms. */
const leaveMs = 1000

/** How long the end of an agent is waited for that has closed its output; ms. */
const endMs = 2000

/** The state of a conversation. What comes first, an answer or a failure, is what came of it. */
interface Talk {
  heard: ReturnType<typeof createHeard>
  messages?: ReturnType<typeof openMessages>
  /** The id of the session; absent before there is one. */
  own?: string
  /** Absent where the session cannot be continued. */
  session?: string
  isRetold?: boolean
  answer?: Json
  broken?: Broken
  /** Resolves when no more is said; absent before the program was started. */
  conversed?: Promise<void>
  /** Asks the agent to stop; nothing before it has a prompt. */
  stop(): Promise<void>
}

/** Opens a conversation with an agent that speaks the Agent Client Protocol on its standard streams. */
export function createTalk(options: TalkOptions): CliTalk {
  const { program, timeoutMs } = options
  const talk: Talk = { heard: createHeard(), stop: async () => {} }
  const [settled, over] = [deferred(), deferred()]
  const breakOff = (failure: Broken) => {
    if (!talk.answer) talk.broken ??= failure
    settled.resolve()
  }
  return {
    over: over.promise,
    begin(streams) {
      const messages = openMessages(streams, {
        onUpdate: talk.heard.update,
        onBroken: (why) => breakOff(new Broken('exit', `${program} ${why}`)),
      })
      talk.messages = messages
      const connection = connect({ ...options, isOwn: (id) => id === talk.own }, streams, messages.stream)
      const late = () => breakOff(new Broken('timeout', `no whole reply in ${timeoutMs} ms`))
      const timer = globalThis.setTimeout(late, Math.min(timeoutMs, longestTimer)).unref()
      const conversed = converse(connection.agent, streams.cwd, { talk, options }).catch((error) => {
        // Of an agent that closed its output the end says more.
        if (!connection.signal.aborted || error instanceof Broken) breakOff(brokenBy(error, program))
      })
      talk.conversed = conversed
      void conversed.then(async () => {
        if (!talk.answer) await withinMs(endMs, settled.promise)
        settled.resolve()
      })
      void settled.promise.then(async () => {
        clearTimeout(timer)
        if (talk.broken) {
          void talk.stop().catch(() => {})
          await withinMs(cancelMs, conversed)
        }
        streams.input.end()
        // Of a session that is half on disk nothing could be continued.
        if (talk.answer) await withinMs(leaveMs, messages.ended)
        over.resolve()
        connection.close()
        streams.output.destroy()
      })
    },
    async cancel() {
      breakOff(new Broken('exit', 'bench ended the program, which only repeated requests that failed'))
      await withinMs(2 * cancelMs, over.promise)
    },
    async read(ended) {
      await withinMs(leaveMs, talk.conversed ?? settled.promise)
      settled.resolve()
      if (talk.answer) return answerReading(talk.answer, talk)
      if (ended && !talk.broken) return endReading(ended, talk)
      const { reason, message } = talk.broken ?? new Broken('exit', `${program} closed its output`)
      return failureReading(reason, message + (reason === 'timeout' ? printedBy(talk) : ''))
    },
  }
}

function connect(
  options: TalkOptions & { isOwn(sessionId: string): boolean },
  streams: ProgramStreams,
  stream: ReturnType<typeof openMessages>['stream'],
) {
  const { client, RequestError } = loadAcp()
  const refuse = (message: string) => RequestError.invalidParams(undefined, message)
  return answerRequests(client(), { ...options, ...streams, refuse }).connect(stream)
}

/** Asks the agent who it is, opens a session, and gives it the prompt. */
async function converse(
  agent: ClientContext,
  cwd: string,
  { talk, options }: { talk: Talk; options: TalkOptions },
): Promise<void> {
  const { program, prompt, timeoutMs, session: known, keyInside } = options
  const ask = createAsker(agent, program, timeoutMs)
  const { told, opened } = await openAgent(ask, program)
  options.onOpened?.(opened)
  if (prompt === undefined) {
    talk.answer = {}
    return
  }
  if (known !== undefined) talk.own = known
  const { id, canContinue, isNew } = await openSession(ask, told, { program, cwd, known, keyInside })
  talk.own = id
  if (canContinue) talk.session = id
  talk.isRetold = isNew && known !== undefined
  talk.stop = () => agent.notify('session/cancel', { sessionId: id })
  talk.heard.begin(id)
  const answer = await agent.request('session/prompt', {
    sessionId: id,
    prompt: [{ type: 'text', text: talk.isRetold ? options.retold : prompt }],
  })
  if (!talk.broken) talk.answer = objectAt(answer)
}

const withinMs = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, setTimeout(ms, undefined, { ref: false })])

function deferred() {
  let resolve = () => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve: () => resolve() }
}

/** Names what a program printed that is no agent of the protocol, as the end of a message; empty of one that is. */
function printedBy({ messages }: Talk): string {
  const line = messages?.hasSpoken() ? undefined : tellingLine(messages?.strays() ?? [])
  return line === undefined
    ? ''
    : `; it printed ${JSON.stringify(line)}, which is no message of the Agent Client Protocol`
}

/** Reads the end of a program that ended before it had answered. */
function endReading(ended: CliOutput, talk: Talk): CliReading {
  const missing = 'no answer'
  const message = endMessage(ended, missing)
  // What the program itself says in its errors tells more than what it printed.
  return failureReading(causeOf(message), message.endsWith(missing) ? message + printedBy(talk) : message)
}

function answerReading(answer: Json, { heard, session, isRetold }: Talk): CliReading {
  const stopReason = textAt(answer, 'stopReason')
  const usage = objectAt(answer, 'usage')
  const isTold = Object.keys(usage).length > 0
  const error = endings[stopReason]
  return {
    text: error ? '' : heard.text(),
    ...(session !== undefined && { session }),
    ...(isRetold && { retold: true as const }),
    tokens: isTold ? tokensOf(usage) : unreportedTokens,
    costUsd: heard.costUsd(),
    cumulative: { tokens: false, cost: true },
    ...(stopReason === 'max_tokens' && { finish: 'length' as const }),
    ...(isTold && { usage }),
    ...(error && { error }),
  }
}

/** Ends of a turn that are no answer. */
const endings: Readonly<Record<string, NonNullable<CliReading['error']>>> = {
  refusal: { reason: 'refusal', message: 'the agent, or its model, refused' },
  max_turn_requests: { reason: 'exit', message: 'the agent used up its own limit of requests in a turn' },
  cancelled: { reason: 'exit', message: 'the agent says that the turn was cancelled' },
}
