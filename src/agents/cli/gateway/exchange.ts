import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Finish } from '../../../schema/ledger/finish.ts'
import { createEventSplitter, type StreamEvent } from '../../wire/event-stream.ts'
import { finishIn } from '../../wire/finish-in.ts'
import { parseJson } from '../../wire/json.ts'
import { isNeverSent } from '../../wire/never-sent.ts'
import { newObservedReply, type ObservedReply, observePart } from '../../wire/observe-reply.ts'

/** One request of a program and what came of it. */
export interface Exchange {
  /** The path is one that asks a model in a known format, and not that of a count or of telemetry. */
  isModelPath: boolean
  began: number
  /** When it was over; undefined while it is open. */
  over?: number
  /** The program closed the connection before the reply had ended, as when it is killed. */
  isLeft: boolean
  end: End
}

/**
 * What came of a request. `none`: no byte of a reply so far. `broken`: the connection ended before a reply, or in the middle of one that
 * is not a stream. `unreached`: there was no connection. `page`: an HTML page in place of a model's reply.
 */
export type End =
  | { kind: 'none' | 'not-model' | 'page' | 'broken' | 'unreached' }
  | { kind: 'refused'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | { kind: 'read'; reply: ReadReply }

/** A model's reply, and why it ended, if it tells. */
type ReadReply = ObservedReply & { finish?: Finish | undefined }

const modelPath = /\/(?:messages|responses|completions)$|:(?:generateContent|streamGenerateContent)$/

/** Returns a request that has just been sent; `path` may have a query. */
export const newExchange = (path: string): Exchange => ({
  isModelPath: modelPath.test(path.split('?')[0] as string),
  began: performance.now(),
  isLeft: false,
  end: { kind: 'none' },
})

/** Records the end of a connection; only the first one counts. `code` is that of the error. */
export function breakExchange(exchange: Exchange, code: string | undefined): void {
  if (exchange.over !== undefined) return
  exchange.over = performance.now()
  if (exchange.isLeft || exchange.end.kind !== 'none') return
  exchange.end = { kind: isNeverSent(code ?? '') ? 'unreached' : 'broken' }
}

/** Maximum length of a reply that is not a stream, in characters. A longer one is not a model's and would fill memory. */
const longestText = 32 * 1024 * 1024

/** Maximum length of the body of a refusal that is kept, in characters. */
const longestRefusal = 65_536

/** Reads a reply while it passes. Calls `onOver` when it has ended or broken off. */
export function watchExchange(
  exchange: Exchange,
  reply: IncomingMessage,
  body: Readable,
  onOver: () => void,
): void {
  const status = reply.statusCode ?? 502
  const over = () => {
    if (exchange.over !== undefined) return
    breakExchange(exchange, undefined)
    onOver()
  }
  if (status >= 400) watchRefusal(exchange, status, reply, body)
  else watchModelReply(exchange, reply, body)
  body.on('end', over)
  body.on('error', over)
  body.on('close', over)
}

function watchRefusal(exchange: Exchange, status: number, reply: IncomingMessage, body: Readable): void {
  const headers = reply.headers as Record<string, string>
  const end = { kind: 'refused' as const, status, headers, body: '' }
  exchange.end = end
  const decoder = new TextDecoder()
  body.on('data', (chunk: Buffer) => {
    const room = longestRefusal - end.body.length
    if (room > 0) end.body += decoder.decode(chunk, { stream: true }).slice(0, room)
  })
}

function watchModelReply(exchange: Exchange, reply: IncomingMessage, body: Readable): void {
  const observed: ReadReply = newObservedReply()
  const type = reply.headers['content-type'] ?? ''
  const isStream = type.includes('event-stream')
  // A program may close the connection as soon as it has read the end, so this is recorded first.
  exchange.end = isStream ? { kind: 'read', reply: observed } : { kind: 'broken' }
  const decoder = new TextDecoder()
  const reader = isStream ? readEvents(observed) : type.includes('json') ? readWhole(observed) : undefined
  body.on('data', (chunk: Buffer) => {
    reader?.add(decoder.decode(chunk, { stream: true }))
  })
  body.on('end', () => {
    if (!reply.complete) return
    reader?.end()
    if (isStream) return
    const isCounted = observed.isModelReply || observed.unreadable
    const isPage = exchange.isModelPath && type.includes('html')
    exchange.end = isCounted ? { kind: 'read', reply: observed } : { kind: isPage ? 'page' : 'not-model' }
  })
}

/** Reads a text that comes in pieces. */
interface PieceReader {
  add(piece: string): void
  end(): void
}

function readEvents(observed: ReadReply): PieceReader {
  let splitter = createEventSplitter()
  const take = (events: readonly StreamEvent[]) => {
    for (const { data } of events) if (data !== undefined) takeText(observed, data)
  }
  return {
    add(piece) {
      try {
        take(splitter.add(piece))
      } catch {
        // The event is too long.
        observed.unreadable = true
        splitter = createEventSplitter()
      }
    },
    end() {
      const last = splitter.end()
      if (last) take([last])
    },
  }
}

function readWhole(observed: ReadReply): PieceReader {
  const pieces: string[] = []
  let length = 0
  return {
    add(piece) {
      length += piece.length
      if (length > longestText) observed.unreadable = true
      else pieces.push(piece)
    },
    end() {
      if (length <= longestText) takeText(observed, pieces.join(''))
    },
  }
}

function takeText(observed: ReadReply, text: string): void {
  if (text.trim() === '[DONE]') return
  try {
    const part = parseJson(text)
    observePart(observed, part)
    observed.finish = finishIn(part) ?? observed.finish
  } catch {
    observed.unreadable = true
  }
}
