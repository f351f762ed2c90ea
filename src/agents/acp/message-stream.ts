import type { Stream } from '@agentclientprotocol/sdk'
import { createLineReader } from '../../base/line-reader.ts'
import type { ProgramStreams } from '../../sandbox/sandbox.ts'
import { isObject } from '../../text/is-object.ts'
import { shorten } from '../../text/shorten.ts'
import { type Json, objectAt, tryParseJson } from '../wire/json.ts'

/** The most that an agent may send in one call; the rest of a conversation that is loaded again counts, too. */
const sendBounds = {
  /** Of one message; bytes. A file that is written is in one. */
  line: 16 * 1024 ** 2,
  bytes: 64 * 1024 ** 2,
  messages: 500_000,
  requests: 10_000,
  /** Requests without an answer, at the same time. */
  pending: 1000,
  /** Lines that are no messages. */
  strays: 1000,
  /** What the agent asked for and did not read; bytes. */
  unread: 64 * 1024 ** 2,
}

/** How many lines are kept that are no messages: help is longer than a reason. */
const keptStrays = 100

/** What to do with what an agent sends, apart from answers and requests. */
interface Listener {
  /** Called for each `session/update`, at once and in order. */
  onUpdate(params: Json): void
  /** Called once, when the agent sends what cannot go on; a phrase whose subject is the agent. */
  onBroken(why: string): void
}

/** Messages with an agent. */
interface MessageStream {
  /** For the client of the protocol. It gets whole requests, and answers to what it asked. */
  stream: Stream
  /** Whether the agent sent any message of the protocol. */
  hasSpoken(): boolean
  /** The first lines that were no messages, shortened. */
  strays(): readonly string[]
  /** Resolves when the agent has closed its output. */
  ended: Promise<void>
}

/**
 * Opens the messages of an agent, one a line, within bounds. What the client of the protocol would print or trip over does not reach it:
 * answers to nothing, notifications, batches, and words between the messages.
 */
export function openMessages({ input, output }: ProgramStreams, listener: Listener): MessageStream {
  const sent = { bytes: 0, messages: 0, requests: 0, strays: 0 }
  const asked = new Set<unknown>()
  const unanswered = new Set<unknown>()
  const strays: string[] = []
  const keep = (line: string) => {
    if (strays.length < keptStrays) strays.push(shorten(line, 120))
  }
  let isBroken = false
  let deliver: (message: Json) => void = () => {}
  let close = () => {}

  const breakOff = (why: string) => {
    if (isBroken) return
    isBroken = true
    output.destroy()
    listener.onBroken(why)
  }
  const isTooMuch = (what: keyof typeof sent, count: number, words: string) => {
    sent[what] += count
    const isOver = sent[what] > sendBounds[what]
    if (isOver) breakOff(`sent more than ${sendBounds[what]} ${words} in one call`)
    return isOver
  }
  const receive = (message: Json) => {
    const { id, method } = message
    if (typeof method !== 'string') {
      // Who answers what nobody asked is not listened to.
      if (asked.delete(id)) deliver(wholeAnswer(message))
    } else if (!('id' in message)) {
      if (method === 'session/update') listener.onUpdate(objectAt(message, 'params'))
    } else if (typeof id === 'string' || typeof id === 'number') {
      if (isTooMuch('requests', 1, 'requests')) return
      unanswered.add(id)
      if (unanswered.size > sendBounds.pending)
        breakOff(`has more than ${sendBounds.pending} requests without an answer`)
      else deliver(message)
    }
  }
  const receiveLine = (line: Buffer) => {
    const text = line.toString('utf8').trim()
    if (text === '' || isTooMuch('messages', 1, 'messages')) return
    const message = tryParseJson(text)
    if (isObject(message) && message.jsonrpc === '2.0') return receive(message)
    keep(text)
    isTooMuch('strays', 1, 'lines that are no messages')
  }
  const lines = createLineReader(
    () => sendBounds.line,
    () => breakOff(`sent a line of more than ${sendBounds.line} bytes`),
  )
  const ended = new Promise<void>((resolve) => {
    output
      .on('data', (chunk: Buffer) => {
        if (isBroken || isTooMuch('bytes', chunk.length, 'bytes')) return
        for (const line of lines.add(chunk)) if (!isBroken) receiveLine(line)
      })
      .on('error', () => {})
      .on('close', () => {
        const rest = lines.begun().toString('utf8').trim()
        if (rest !== '') keep(rest)
        close()
        resolve()
      })
  })
  const readable = new ReadableStream({
    start(controller) {
      deliver = (message) => controller.enqueue(message)
      let isClosed = false
      close = () => {
        if (!isClosed) controller.close()
        isClosed = true
      }
    },
    cancel() {
      close = deliver = () => {}
    },
  })
  const writable = new WritableStream({
    write(message) {
      const { id, method } = message as Json
      if (method === undefined) unanswered.delete(id)
      else if (id !== undefined) asked.add(id)
      input.write(`${JSON.stringify(message)}\n`)
      if (input.writableLength > sendBounds.unread)
        breakOff(`does not read what it asked for, ${sendBounds.unread} bytes of it`)
    },
  })
  return {
    stream: { readable, writable } as Stream,
    hasSpoken: () => sent.messages > sent.strays,
    strays: () => strays,
    ended,
  }
}

/** Returns an answer in the form that the client takes: some agents leave out the code of an error, or write both fields. */
function wholeAnswer({ id, result, error }: Json): Json {
  if (error === undefined || error === null) return { jsonrpc: '2.0', id, result: result ?? {} }
  const { code, message, data } = objectAt(error)
  return {
    jsonrpc: '2.0',
    id,
    error: {
      code: Number.isInteger(code) ? code : -32603,
      message: typeof message === 'string' ? message : JSON.stringify(error),
      ...(data !== undefined && { data }),
    },
  }
}
