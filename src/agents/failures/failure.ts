import type { AgentErrorReason } from '../../text/errors.ts'
import { shortenEnd } from '../../text/shorten.ts'
import type { WireReply } from '../wire/watch-reply.ts'
import { reasonAt, reasonInPlainWords, reasonOfMessage, reasonOfWords } from './refusal-reason.ts'
import { type ServerWords, wordsOf, wordsOfBody, wordsOfPage } from './server-words.ts'

const codes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|.*_CERT(?:_.*)?|UNABLE_TO_.*)$/

/** Whether an error code means that no connection was made, so that the request was not sent and no tokens were generated. */
export const isNeverSent = (code: string): boolean => codes.test(code)

/** Why a call over HTTP gave no usable reply, as recorded in the ledger. */
interface Failure {
  reason: AgentErrorReason
  message: string
  /** How long the provider asks callers to wait, in ms. */
  retryAfterMs?: number
}

const longestMessage = 500

/** Classifies the error of a call: a status, a broken connection, an error event in the stream, or an unreadable reply. */
export function failureOf(error: unknown): Failure {
  const parts = partsOf(error)
  const { status, headers, body } = parts
  const wait = retryAfterMs(headers, body)
  const words = body.trim() === '' ? undefined : wordsOfBody(body)
  const isRefused = status !== undefined && status >= 400
  const text = (isRefused && words?.message) || parts.message
  const message = isRefused ? `${statusText(status, headers['content-type'] ?? '', body)}: ${text}` : text
  const reason = reasonOf(parts, words)
  return { reason, message: cut(message), ...(wait !== undefined && { retryAfterMs: wait }) }
}

/** Returns the failure of an error that a server sent inside a reply. The code in it counts as the status. */
export function failureOfEvent({ error, parts, status: own = 200, contentType, head }: WireReply): Failure {
  const words = wordsOf(error)
  const { status, codes, message } = words
  const wait = retryAfterMs({}, JSON.stringify(error ?? '').slice(0, 100_000))
  const reason = status === undefined ? reasonOfEvent(words) : reasonOfWords(status, words)
  const shown = message || codes.join(' ') || 'an error without a message'
  // An error in place of a stream has the status of a success, which is worth telling.
  const place = parts > 0 ? '' : `${statusText(own, contentType, head, 'event-stream')}: `
  return { reason, message: cut(`${place}${shown}`), ...(wait !== undefined && { retryAfterMs: wait }) }
}

/** Returns the failure of a reply that a server, or one behind it, broke off, by its word for that. */
export function failureOfBreak(word: string): Failure {
  const told = word === 'error' ? '' : ` (${word})`
  const reason = /network|connect/i.test(word) ? 'network' : 'server'
  return { reason, message: `the provider ended the reply with an error${told}` }
}

/** Returns the failure of a reply with a status of success of which nothing could be used: an HTML page, other JSON, or nothing. */
export function failureOfBody({ status = 200, contentType, head }: WireReply): Failure {
  const { message } = wordsOfBody(head)
  const words = message || wordsOfPage(head) || 'an empty body'
  return {
    reason: 'server',
    message: cut(`${statusText(status, contentType, head, 'event-stream')}: ${words}`),
  }
}

function statusText(status: number, contentType: string, body: string, expected = 'json'): string {
  const [type = ''] = contentType.split(';').map((part) => part.trim())
  return type === '' || type.includes(expected) || body.trim() === '' ? `${status}` : `${status} (${type})`
}

const cut = (text: string) => shortenEnd(text, longestMessage)

function reasonOf(
  { status, name, message, codes, cause }: Parts,
  words: ServerWords | undefined,
): AgentErrorReason {
  const said = words ?? { message, codes, status: undefined }
  if (status !== undefined && status >= 300) return reasonOfWords(status, said)
  if (/JSONParse|TypeValidation|EmptyResponse|InvalidResponse/.test(name)) return 'server'
  // A status below 400 belongs to a reply that broke off; no status means that no server answered.
  if (cause || name.includes('APICallError') || name === 'TypeError') return 'network'
  return reasonOfEvent({ message, codes, status: undefined })
}

function reasonOfEvent(said: ServerWords): AgentErrorReason {
  const { message } = said
  const coded = said.codes.join(' ')
  const isBroken = /\b(?:api|server|internal)_error|internalservererror/i.test(coded)
  const plain = reasonInPlainWords(said)
  const told = plain ?? reasonOfMessage(message)
  // Behind a breakdown's code only the length of the prompt counts, as no code tells it.
  if (isBroken) return plain ?? (told === 'context-overflow' ? told : 'server')
  return told ?? reasonAt('event', coded) ?? reasonAt('event', message) ?? 'server'
}

interface Parts {
  status: number | undefined
  name: string
  message: string
  /** Type and code. */
  codes: readonly string[]
  body: string
  headers: Readonly<Record<string, string>>
  cause: boolean
}

/** Reads an error by its fields, not its class: it comes from one of three libraries or is plain data from a stream. */
function partsOf(error: unknown): Parts {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
  const inner = fields.cause instanceof Error ? fields.cause.message : ''
  const outer = text('message') || (typeof error === 'string' ? error : 'the provider told no reason')
  const message = inner && !outer.includes(inner) ? `${outer} (${inner})` : outer
  return {
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    name: text('name'),
    message,
    codes: [text('type'), text('code')].filter((code) => code !== ''),
    body: text('responseBody'),
    headers: (fields.responseHeaders ?? {}) as Readonly<Record<string, string>>,
    cause: inner !== '',
  }
}

/**
 * Returns how long a provider asks callers to wait, in ms: from `retry-after-ms`, from `retry-after` in seconds or as a date
 * (RFC 9110, 10.2.3), or from Google's RetryInfo in the body; undefined if it asks for nothing.
 */
export function retryAfterMs(
  headers: Readonly<Record<string, string>>,
  body: string,
  now = Date.now(),
): number | undefined {
  const exact = Number(headers['retry-after-ms'])
  if (headers['retry-after-ms'] && Number.isFinite(exact) && exact >= 0) return Math.ceil(exact)
  const header = headers['retry-after']?.trim()
  if (header) {
    if (/^\d+(\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1000)
    const date = Date.parse(header)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  const seconds = /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1]
  return seconds === undefined ? undefined : Math.ceil(Number(seconds) * 1000)
}
