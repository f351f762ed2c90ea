import type { Duplex } from 'node:stream'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { createLineReader } from '../../base/line-reader.ts'
import { checkAnswer, parseLine, shownText } from './parse-message.ts'

/** Why a request gets no answer, as the client cannot know; the error of `refused` may belong to another request. */
export type Unanswered =
  | { kind: 'too-large' }
  | { kind: 'no-answer' }
  | { kind: 'refused'; code: number; message: string }

/** A connection with a server, with bounds on what the server sends. */
export interface Channel {
  transport: Transport
  /** Called when the request that is being made will get no answer. */
  onUnanswered?: ((why: Unanswered) => void) | undefined
  /** The longest line that the server may send; bytes. */
  limit: { lineBytes: number }
  isClosed(): boolean
  /** Why the channel was closed from this side: the server sent too much. */
  flood(): string | undefined
  /** What was printed first that is no message, as a text, since the last call was begun; undefined if nothing was. */
  stray(): string | undefined
  /** The beginning of a line that has not ended, as a text; undefined if all have. */
  begun(): string | undefined
  /** Begins a call. Lines that were printed before it do not explain its failure. */
  forgetStray(): void
}

/** The longest line until `limit` is changed: the handshake and the list of tools are no answers to calls; bytes. */
const firstLineBytes = 2 * 1024 * 1024

/** Opens a channel over the socket of a server. */
export function openChannel(socket: Duplex): Channel {
  const limit = { lineBytes: firstLineBytes }
  const report = (why: Unanswered) => channel.onUnanswered?.(why)
  const bounds = createSendBounds(() => limit.lineBytes)
  let stray: string | undefined
  let hasSpoken = false
  const lines = createLineReader(
    () => limit.lineBytes,
    () => report({ kind: 'too-large' }),
  )
  /** Counts what the server sent; true if it is too much, and the connection is closed. */
  const isFlooded = (what: Sent, count: number) => {
    if (bounds.add(what, count)) return false
    socket.destroy()
    return true
  }
  const deliver = (message: JSONRPCMessage) => {
    if ('method' in message) {
      // Nothing here depends on what a server tells unasked, and a storm of it takes time to read.
      if (!('id' in message) || isFlooded('requests', 1)) return
    }
    const { failure, isUnread } = checkAnswer(message)
    if (failure !== undefined) report({ kind: 'refused', code: 0, message: failure })
    else if (isUnread) report({ kind: 'no-answer' })
    else transport.onmessage?.(message)
  }
  const receiveLine = (line: Buffer) => {
    const parsed = parseLine(line)
    if (isFlooded('messages', Math.max(1, parsed.messages.length))) return
    // Who frames its messages reads none that ends with its line, so no answer will come.
    const isFramed = !hasSpoken && isFraming(parsed.stray)
    stray = isFramed ? parsed.stray : (stray ?? parsed.stray)
    if (parsed.unread || isFramed) report({ kind: 'no-answer' })
    hasSpoken ||= parsed.messages.length > 0
    for (const message of parsed.messages) {
      if (socket.destroyed) return
      try {
        deliver(message)
      } catch {
        // The client takes a message apart as if it were of the protocol.
        stray ??= 'a message that is not one of the protocol'
      }
    }
  }
  const receive = (chunk: Buffer) => {
    if (isFlooded('bytes', chunk.length)) return
    for (const line of lines.add(chunk)) if (!socket.destroyed) receiveLine(line)
  }
  const { transport, hasEnded } = createTransport(socket, receive, bounds.reset)
  const channel: Channel = {
    transport,
    limit,
    isClosed: () => hasEnded() || socket.destroyed,
    flood: bounds.exceeded,
    stray: () => stray,
    begun() {
      const text = lines.begun().toString('utf8').trim()
      return text === '' ? undefined : shownText(text)
    },
    forgetStray() {
      stray = undefined
    },
  }
  return channel
}

/** Whether a line that is no message is a header of the framing that language servers use, where MCP over stdio has lines. */
export const isFraming = (stray: string | undefined) => /^"Content-(?:Length|Type):/i.test(stray ?? '')

/** Creates the client's side of a channel. `onRequest` is called when the client asks the server something. */
function createTransport(socket: Duplex, receive: (chunk: Buffer) => void, onRequest: () => void) {
  let [isStarted, hasEnded] = [false, false]
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    transport.onclose?.()
  }
  const transport: Transport = {
    async start() {
      if (isStarted) return
      isStarted = true
      socket.on('error', () => {})
      socket.on('close', end)
      // Its output has ended, so no answer can come. The socket stays open: how the program ends says more.
      socket.on('end', end)
      socket.on('data', receive)
    },
    async send(message) {
      // An answer to a request of the server's is no reason to let it send more.
      if ('method' in message && 'id' in message) onRequest()
      socket.write(`${JSON.stringify(message)}\n`)
    },
    // A second client may follow on the same connection. The socket is closed with the program.
    async close() {
      transport.onclose?.()
      for (const event of ['onclose', 'onerror', 'onmessage'] as const) delete transport[event]
    },
  }
  return { transport, hasEnded: () => hasEnded }
}

type Sent = 'bytes' | 'messages' | 'requests'

interface SendBounds {
  /** Counts what was sent; false if it is too much. */
  add(what: Sent, count: number): boolean
  /** Begins to count anew: bench asks something. */
  reset(): void
  /** The first bound that was exceeded, as a phrase whose subject is the server; undefined if none was. */
  exceeded(): string | undefined
}

/** Messages, and requests among them, that a server may send between two requests of bench. */
const [mostMessages, mostRequests] = [10_000, 500]

/** Bytes that a server may send between two requests, as a multiple of the longest answer, and at least. */
const [floodFactor, leastFloodBytes] = [4, 4 * 1024 * 1024]

function createSendBounds(longestAnswer: () => number): SendBounds {
  let sent = { bytes: 0, messages: 0, requests: 0 }
  let exceeded: string | undefined
  const most = {
    bytes: () => Math.max(floodFactor * longestAnswer(), leastFloodBytes),
    messages: () => mostMessages,
    requests: () => mostRequests,
  }
  const texts = {
    bytes: 'bytes between two requests of bench',
    messages: 'messages between two requests of bench',
    requests: 'requests of its own',
  }
  return {
    add(what, count) {
      sent[what] += count
      const bound = most[what]()
      if (sent[what] <= bound) return true
      exceeded ??= `sent more than ${bound} ${texts[what]}`
      return false
    },
    reset() {
      sent = { bytes: 0, messages: 0, requests: 0 }
    },
    exceeded: () => exceeded,
  }
}
