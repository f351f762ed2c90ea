import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { type KeyGuard, keyStandIn } from './key-guard.ts'
import { leaveOutUsage } from './told-usage.ts'

/** Headers in which providers expect a key. The key is put into no other header. */
const keyHeaders = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'])

/** Matches a header value that is the stand-in, optionally after a scheme. */
const standsIn = new RegExp(`^(?:[A-Za-z][A-Za-z-]* +)?${keyStandIn}$`)

/** Headers that the programs and the vendors' libraries send beside a key. Others are dropped. The form and length of the body are set here. */
const known = new Set([
  ...['accept', 'accept-language', 'user-agent', 'openai-beta', 'openai-intent', 'originator', 'version'],
  ...['session-id', 'session_id', 'thread-id', 'thread_id', 'conversation-id', 'conversation_id'],
  ...[
    'http-referer',
    'referer',
    'x-title',
    'x-app',
    'x-goog-api-client',
    'x-client-request-id',
    'x-request-id',
  ],
  ...['x-initiator', 'idempotency-key', 'x-idempotency-key', 'traceparent', 'tracestate', 'baggage'],
])
const knownFamilies =
  /^(?:anthropic-(?:version|beta|dangerous-direct-browser-access)|x-(?:stainless|codex|claude-code|session|opencode|openrouter)-.+)$/

/** Headers that choose whose account pays, another model or server, or a tool of the server. */
const choosing = new RegExp(
  `^(?:${[
    'openai-(?:organization|project)|anthropic-(?:workspace|organization).*|x-hf-bill-to|azureml-model-deployment',
    'x-goog-(?:user-project|request-params)|x-vertex-ai-llm-.*|x-dashscope-(?:plugin|async|workspace)',
    '(?:helicone|x-portkey|x-litellm|cf-aig)-.*',
  ].join('|')})$`,
)

/** Returns why a request's headers are refused, or undefined. */
export function headersProblem({ headers }: IncomingMessage): string | undefined {
  const coding = headers['transfer-encoding']
  const chosen = Object.keys(headers).find((name) => choosing.test(name) && headers[name] !== '')
  if (chosen !== undefined) return `has the header ${chosen}, which changes whose account pays, or for what`
  if (headers.upgrade !== undefined) return 'asks for another protocol (Upgrade)'
  if (coding === undefined) return undefined
  if (headers['content-length'] !== undefined) return 'states the length of its body in two ways'
  return coding.trim().toLowerCase() === 'chunked'
    ? undefined
    : 'has a transfer encoding other than "chunked"'
}

/** Returns a program's headers for its provider, with the key in place of the stand-in. The body is JSON of `length` bytes. */
export function headersToProvider(
  { headers }: IncomingMessage,
  key: string | undefined,
  hasKeyParameter: boolean,
  length: number,
): OutgoingHttpHeaders {
  const own = namedByConnection(headers)
  const kept = Object.entries(headers).filter(
    ([name]) => (known.has(name) || keyHeaders.has(name) || knownFamilies.test(name)) && !own.has(name),
  )
  // Servers log keys in addresses. Google, which accepts a key there, also accepts it in this header.
  const given = hasKeyParameter ? [...kept, ['x-goog-api-key', keyStandIn] as const] : kept
  return {
    ...Object.fromEntries(given.flatMap(([name, value]) => withKey(name, value, key))),
    'content-type': 'application/json',
    'content-length': String(length),
    // The gateway reads replies, so they must not be compressed.
    'accept-encoding': 'identity',
  }
}

function namedByConnection({ connection = '' }: IncomingHttpHeaders): ReadonlySet<string> {
  return new Set(
    connection
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  )
}

function withKey(
  name: string,
  value: string | string[] | undefined,
  key: string | undefined,
): [string, string | string[]][] {
  if (value === undefined) return []
  if (!keyHeaders.has(name) || typeof value !== 'string' || !standsIn.test(value)) return [[name, value]]
  return key === undefined ? [] : [[name, value.slice(0, -keyStandIn.length) + key]]
}

/** Headers that are not passed on: they concern one connection, or the original encoding of the body. */
const notPassed =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|proxy-.*)$/

/** Returns the decompressed body of a provider's reply, which may be compressed against the request; undefined if the encoding is unknown. */
export function decodeBody(answer: IncomingMessage): Readable | undefined {
  const decoder = decoderOf(answer.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (!decoder) return decoder === null ? answer : undefined
  // The decoder then emits what has arrived, and an error since the data is incomplete.
  answer.on('error', () => decoder.end())
  return answer.pipe(decoder)
}

function decoderOf(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}

/**
 * Passes on a reply without the key: status, headers and body, but not the status text. With `hidesUsage` it has no event that only tells
 * the tokens of a stream of chat.
 */
export function passReply(
  answer: IncomingMessage,
  body: Readable,
  response: ServerResponse,
  { guard, hidesUsage }: { guard: KeyGuard; hidesUsage: boolean },
): void {
  response.writeHead(answer.statusCode ?? 502, headersToProgram(answer, guard))
  const guarded = guard.stream()
  const passed = hidesUsage ? guarded.pipe(leaveOutUsage()) : guarded
  // A reply that breaks off must also break off for the CLI, after what arrived: programs continue from that.
  let isBroken = false
  const breakOff = () => {
    isBroken = true
    guarded.end()
  }
  body.on('error', breakOff)
  passed.on('end', () => {
    if (!isBroken) response.end()
    else if (response.socket) response.socket.destroySoon()
    else response.destroy()
  })
  body.pipe(guarded)
  passed.pipe(response, { end: false })
}

function headersToProgram({ headers }: IncomingMessage, guard: KeyGuard): OutgoingHttpHeaders {
  const own = namedByConnection(headers)
  const kept = Object.entries(headers).filter(
    ([name]) => !notPassed.test(name) && !own.has(name) && !guard.isInName(name),
  )
  return Object.fromEntries(
    kept.map(([name, value = '']) => [
      guard.text(name),
      Array.isArray(value) ? value.map(guard.text) : guard.text(value),
    ]),
  )
}
