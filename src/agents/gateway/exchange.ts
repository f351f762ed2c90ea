import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Tokens } from '../../schema/tokens.ts'
import { isNeverSent } from '../failures/failure.ts'
import { createReplyReader, type OnPart, type ReadReply } from './reply-reader.ts'

/** One request of a program and what came of it. */
export interface Exchange {
  /** The path is one that asks a model in a known format, and not that of a count or of telemetry. */
  isModelPath: boolean
  /** What it may use, by its size and the most output that it allows. */
  expected: Tokens
  /** Undefined until the whole request is sent. */
  request?: AskedRequest
  began: number
  /** When it was over; undefined while it is open. */
  over?: number
  /** The program closed the connection before the reply had ended, as when it is killed. */
  isLeft: boolean
  /** Bytes of a model's reply that have passed, without those that are only its form. */
  passed: number
  end: End
  /** Gets the parts of its reply. */
  onPart?: OnPart | undefined
}

/**
 * What came of a request. `none`: no byte of a reply so far. `broken`: the connection ended before a reply, or in the middle of one that
 * is not a stream. `unreached`: there was no connection. `page`: an HTML page in place of a model's reply.
 */
export type End =
  | { kind: 'none' | 'not-model' | 'page' | 'broken' | 'unreached' }
  | { kind: 'refused'; status: number; headers: Readonly<Record<string, string>>; body: string }
  | { kind: 'read'; reply: ReadReply }

const modelPath = /\/(?:messages|responses|completions)$|:(?:generateContent|streamGenerateContent)$/

/** Returns a request that has just been sent; `path` may have a query. */
export const newExchange = (path: string, expected: Tokens): Exchange => ({
  isModelPath: modelPath.test(path.split('?')[0] as string),
  expected,
  began: performance.now(),
  isLeft: false,
  passed: 0,
  end: { kind: 'none' },
})

/** Records the end of a connection; only the first one counts. `code` is that of the error. */
export function breakExchange(exchange: Exchange, code: string | undefined): void {
  if (exchange.over !== undefined) return
  exchange.over = performance.now()
  if (exchange.isLeft || exchange.end.kind !== 'none') return
  exchange.end = { kind: isNeverSent(code ?? '') ? 'unreached' : 'broken' }
}

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
  const type = reply.headers['content-type'] ?? ''
  const reader = createReplyReader(type, exchange.isModelPath, exchange.onPart)
  // A program may close the connection as soon as it has read the end, so this is recorded first.
  const record = () => {
    exchange.end = reader.isStream() ? { kind: 'read', reply: reader.reply } : { kind: 'broken' }
  }
  record()
  const decoder = new TextDecoder()
  let bytes = 0
  const count = () => {
    exchange.passed = Math.max(0, bytes - reader.reply.form)
  }
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    reader.add(decoder.decode(chunk, { stream: true }))
    record()
    count()
  })
  body.on('end', () => {
    if (!reply.complete) return
    reader.end()
    count()
    if (!reader.isStream()) exchange.end = endOfWhole(exchange, reader.reply, type)
  })
}

/** Returns the end of a reply that is no stream. On the path of a model, an error in place of a reply is one of the model's server. */
function endOfWhole({ isModelPath }: Exchange, reply: ReadReply, type: string): End {
  const isCounted = reply.isModelReply || reply.unreadable || (reply.failed && isModelPath)
  if (isCounted) return { kind: 'read', reply }
  return { kind: isModelPath && type.includes('html') ? 'page' : 'not-model' }
}

/** What a program asked, as far as it tells whether it asks the same again. */
interface AskedRequest {
  /** A hash of path and body: equal for equal requests. */
  hash: string
  /** It asks for a stream of events. */
  asksStream: boolean
}

// In a prompt inside JSON there are backslashes before the quotes.
const streamField = /"stream"\s{0,8}:\s{0,8}true/

/** Characters that a field may have on both sides of the end of a piece. */
const longestField = 40

/** Reads a request while its body passes, and calls `onAsked` when it is whole. */
export function watchRequest(path: string, body: Readable, onAsked: (asked: AskedRequest) => void): void {
  const hash = createHash('sha256').update(`${path}\n`)
  let asksStream = path.includes(':streamGenerateContent')
  let end = ''
  body.on('data', (chunk: Buffer) => {
    hash.update(chunk)
    if (asksStream) return
    const text = end + chunk.toString('latin1')
    asksStream = streamField.test(text)
    end = text.slice(-longestField)
  })
  body.on('end', () => onAsked({ hash: hash.digest('base64'), asksStream }))
}
