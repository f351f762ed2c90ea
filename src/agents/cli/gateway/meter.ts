import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Tokens } from '../../../schema/tokens.ts'
import type { AgentErrorReason } from '../../../text/errors.ts'
import { reasonOfRefusal } from '../../http/failure.ts'
import { retryAfterMs } from '../../http/retry-after.ts'
import { newObservedReply, type ObservedReply, observePart } from '../../wire/observe-reply.ts'
import { tokensFromUsage } from '../../wire/read-usage.ts'
import { unreportedTokens } from '../reading.ts'

/** The gateway's measurements of one call. */
export interface Metered {
  /**
   * The provider's own counts, summed over all requests of the program, including hidden and repeated ones; null if a reply
   * broke off, since its tokens were generated but not reported. Undefined if there was no model's reply.
   */
  tokens: Tokens | undefined
  /** Why the last request failed; undefined if it succeeded. */
  failure: RequestFailure | undefined
}

/** Why a request failed, as seen by the gateway. */
export interface RequestFailure {
  reason: AgentErrorReason
  /** True for a status or a broken connection. False for an error inside the reply, whose message says more. */
  certain: boolean
  retryAfterMs?: number
}

/** Measures the requests of one call as they pass through the gateway. */
export interface Meter {
  /** Records that a request was sent. */
  begin(): Exchange
  /** Returns the sum. A request that is still open counts as broken off. */
  read(): Metered
}

/** One request and its reply. */
export interface Exchange {
  /** Records a reply; `body` is its decompressed content. */
  recordReply(reply: IncomingMessage, body: Readable): void
  /** Records that there was no connection, or that it ended before a reply. */
  recordBreak(code: string | undefined): void
}

type End =
  | { kind: 'not-model' | 'broken' | 'unreached' }
  | { kind: 'refused'; status: number; retryAfterMs: number | undefined }
  | { kind: 'read'; reply: ObservedReply }

/** Connection errors before anything was sent, so that no tokens can have been generated. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** Creates the meter of one call of a program. */
export function createMeter(): Meter {
  const exchanges: { end: End }[] = []
  return {
    begin() {
      const exchange: { end: End } = { end: { kind: 'broken' } }
      exchanges.push(exchange)
      return {
        recordReply: (reply, body) => watch(reply, body, (end) => (exchange.end = end)),
        recordBreak: (code) => {
          if (neverSent.has(code ?? '')) exchange.end = { kind: 'unreached' }
        },
      }
    },
    read: () => {
      const ends = exchanges.map(({ end }) => end)
      return {
        tokens: tokensOf(ends),
        failure: failureOfEnd(ends.findLast(({ kind }) => kind !== 'not-model')),
      }
    },
  }
}

/** Maximum length of a reply, or of one event, in characters. Longer ones are not a model's and would fill memory. */
const longestText = 32 * 1024 * 1024

function watch(reply: IncomingMessage, body: Readable, setEnd: (end: End) => void): void {
  const status = reply.statusCode ?? 502
  if (status >= 400) {
    const headers = reply.headers as Record<string, string>
    setEnd({ kind: 'refused', status, retryAfterMs: retryAfterMs(headers, '') })
    return
  }
  const observed = newObservedReply()
  const type = reply.headers['content-type'] ?? ''
  const isStream = type.includes('event-stream')
  const isRead = isStream || type.includes('json')
  // A program may close the connection as soon as it has read the end, so this is recorded first.
  if (isStream) setEnd({ kind: 'read', reply: observed })
  const decoder = new TextDecoder()
  let rest = ''
  body.on('data', (chunk: Buffer) => {
    if (!isRead) return
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > longestText) {
      observed.unreadable = true
      rest = ''
    }
    if (!isStream) return
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(observed, line)
  })
  body.on('end', () => {
    if (!reply.complete) return
    if (isStream) return takeLine(observed, rest)
    if (isRead) takeText(observed, rest)
    const isCounted = observed.isModelReply || observed.unreadable
    setEnd(isCounted ? { kind: 'read', reply: observed } : { kind: 'not-model' })
  })
}

function takeLine(observed: ObservedReply, line: string): void {
  if (line.startsWith('data:')) takeText(observed, line.slice(5))
}

function takeText(observed: ObservedReply, text: string): void {
  if (text.trim() === '[DONE]') return
  try {
    observePart(observed, JSON.parse(text))
  } catch {
    observed.unreadable = true
  }
}

function tokensOf(ends: readonly End[]): Tokens | undefined {
  const generated = ends.filter(({ kind }) => kind === 'read' || kind === 'broken')
  // If all requests were refused, nothing was generated or reported.
  if (generated.length === 0)
    return ends.some(({ kind }) => kind !== 'not-model') ? unreportedTokens : undefined
  const counts = generated.map((end) =>
    end.kind === 'read' && end.reply.ended && !end.reply.failed
      ? tokensFromUsage(end.reply.usage)
      : undefined,
  )
  return (
    counts.reduce((total, count) => (total && count ? plus(total, count) : undefined)) ?? unreportedTokens
  )
}

function plus(a: Tokens, b: Tokens): Tokens {
  const both = (x: number | null, y: number | null) => (x === null || y === null ? null : x + y)
  const parts = (['cacheWrite', 'cacheWriteHour', 'reasoning'] as const).flatMap((part) =>
    a[part] === undefined && b[part] === undefined ? [] : [[part, (a[part] ?? 0) + (b[part] ?? 0)]],
  )
  return {
    input: both(a.input, b.input),
    output: both(a.output, b.output),
    cached: both(a.cached, b.cached),
    ...Object.fromEntries(parts),
  }
}

function failureOfEnd(end: End | undefined): RequestFailure | undefined {
  switch (end?.kind) {
    case 'unreached':
    case 'broken':
      return { reason: 'network', certain: true }
    case 'refused': {
      const { status, retryAfterMs } = end
      return {
        reason: reasonOfRefusal(status, ''),
        certain: true,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }
    }
    case 'read': {
      const { ended, failed, unreadable } = end.reply
      if (failed || unreadable) return { reason: 'server', certain: false }
      return ended ? undefined : { reason: 'network', certain: true }
    }
    default:
      return undefined
  }
}
