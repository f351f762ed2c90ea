import type { AgentErrorReason } from '../../text/errors.ts'
import { retryAfterMs } from './retry-after.ts'

/** Why a call over HTTP gave no usable reply, as recorded in the ledger. */
interface Failure {
  reason: AgentErrorReason
  message: string
  /** How long the provider asks callers to wait, in ms. */
  retryAfterMs?: number
}

/** Reasons by status, for all vendors. 402 means no credit; 529 is Anthropic's status for overloaded. */
const byStatus: Readonly<Record<number, AgentErrorReason>> = {
  401: 'key',
  402: 'quota',
  403: 'key',
  404: 'not-found',
  408: 'timeout',
  413: 'context-overflow',
  429: 'quota',
  529: 'quota',
}

/** Reasons by the vendors' messages, for errors inside a stream, which have no status. */
const byWord: readonly (readonly [RegExp, AgentErrorReason])[] = [
  [/overloaded|rate_limit|resource_exhausted|insufficient_quota|billing/i, 'quota'],
  [/authentication|permission|invalid_api_key|unauthenticated/i, 'key'],
  [/invalid_request|invalid_argument|not_found/i, 'request'],
  [/timeout|deadline/i, 'timeout'],
  [/stream_ended/, 'network'],
]

/** Messages for a prompt that is too long, which has no status of its own: Anthropic, OpenAI, Gemini, vLLM, llama.cpp, Ollama. */
const overflow =
  /prompt is too long|context[ _](?:length|window|size)|maximum context|exceeds the (?:maximum number of tokens|available context|context)|input length and .?max_tokens|too many tokens/i

const longestMessage = 500

/** Classifies the error of a call: a status, a broken connection, an error event in the stream, or an unreadable reply. */
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
    return reasonOfRefusal(status, text)
  }
  // A redirect that is not followed. A retry would get the same redirect.
  if (status !== undefined && status >= 300 && status < 400) return 'request'
  if (/JSONParse|TypeValidation|EmptyResponse|InvalidResponse/.test(name)) return 'server'
  // A status below 400 belongs to a reply that broke off; no status means that no server answered.
  if (cause || name.includes('APICallError') || name === 'TypeError') return 'network'
  if (overflow.test(text)) return 'context-overflow'
  return byWord.find(([pattern]) => pattern.test(text))?.[1] ?? 'server'
}

/** Returns why a server refused a request, from its status of 400 or more and the words of its body, for any vendor. */
export function reasonOfRefusal(status: number, words: string): AgentErrorReason {
  if (status < 500 && status !== 429 && overflow.test(words)) return 'context-overflow'
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
    words: `${message} ${text('type')} ${text('code')}`,
    body: text('responseBody'),
    headers: (fields.responseHeaders ?? {}) as Readonly<Record<string, string>>,
    cause: inner !== '',
  }
}
