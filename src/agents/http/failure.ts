import type { AgentErrorReason } from '../../text/errors.ts'
import { retryAfterMs } from './retry-after.ts'

/** Why a call over HTTP gave no usable reply, as it stands in the ledger. */
interface Failure {
  reason: AgentErrorReason
  message: string
  /** How long the provider asks to be left alone; ms. */
  retryAfterMs?: number
}

/** By status, for all vendors. 402 is an account without money, 529 Anthropic's word for overloaded. */
const byStatus: Readonly<Record<number, AgentErrorReason>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  408: 'timeout',
  413: 'context-overflow',
  429: 'quota',
  529: 'quota',
}

/** By the vendors' own words, where an error comes inside a stream and has no status. */
const byWord: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [/overloaded|rate_limit|resource_exhausted|insufficient_quota|billing/i, 'quota'],
  [/authentication|permission|invalid_api_key|unauthenticated/i, 'key'],
  [/invalid_request|invalid_argument|not_found/i, 'request'],
  [/timeout|deadline/i, 'timeout'],
  [/stream_ended/, 'network'],
]

/** A prompt that is too long is refused like any wrong request: only the words tell. Anthropic, OpenAI, Gemini, vLLM, llama.cpp, Ollama. */
const overflow =
  /prompt is too long|context[ _](?:length|window|size)|maximum context|exceeds the (?:maximum number of tokens|available context|context)|input length and .?max_tokens|too many tokens/i

const longestMessage = 500

/** One error of a call, whatever threw it: a status, a broken connection, an event in the stream, an unreadable reply. */
export function failureOf(error: unknown): Failure {
  const parts = partsOf(error)
  const wait = retryAfterMs(parts.headers, parts.body)
  const status = parts.status === undefined || parts.status < 400 ? '' : `${parts.status}: `
  const whole = `${status}${parts.message}`
  const message = whole.length > longestMessage ? `${whole.slice(0, longestMessage - 1)}…` : whole
  return { reason: reasonOf(parts), message, ...(wait !== undefined && { retryAfterMs: wait }) }
}

function reasonOf({ status, name, words, body, cause }: Parts): AgentErrorReason {
  const text = `${words} ${body}`
  if (status !== undefined && status >= 400) {
    if (status < 500 && status !== 429 && overflow.test(text)) return 'context-overflow'
    return reasonOfStatus(status)
  }
  // A redirect that is not followed: asked again, it leads there again.
  if (status !== undefined && status >= 300 && status < 400) return 'request'
  if (/JSONParse|TypeValidation|EmptyResponse|InvalidResponse/.test(name)) return 'server'
  // A status below 400 belongs to a reply that broke off; without one, nobody answered.
  if (cause || name.includes('APICallError') || name === 'TypeError') return 'network'
  if (overflow.test(text)) return 'context-overflow'
  return byWord.find(([pattern]) => pattern.test(text))?.[1] ?? 'server'
}

/** What a status of 400 or more stands for, whoever's it is. */
export function reasonOfStatus(status: number): AgentErrorReason {
  return byStatus[status] ?? (status >= 500 ? 'server' : 'request')
}

interface Parts {
  status: number | undefined
  name: string
  message: string
  /** Message, type and code. */
  words: string
  body: string
  headers: Readonly<Record<string, string>>
  cause: boolean
}

/** Read by its fields, not by its class: errors of three libraries and plain data out of streams come here. */
function partsOf(error: unknown): Parts {
  const fields = typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '')
  const inner = fields.cause instanceof Error ? fields.cause.message : ''
  const told = text('message') || (typeof error === 'string' ? error : 'the provider told no reason')
  const message = inner && !told.includes(inner) ? `${told} (${inner})` : told
  return {
    status: typeof fields.statusCode === 'number' ? fields.statusCode : undefined,
    name: text('name'),
    message,
    words: `${message} ${text('type')} ${text('code')}`,
    body: text('responseBody'),
    headers: (fields.responseHeaders ?? {}) as Readonly<Record<string, string>>,
    cause: inner !== '',
  }
}
