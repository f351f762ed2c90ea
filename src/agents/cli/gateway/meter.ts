import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Tokens } from '../../../schema/tokens.ts'
import type { AgentErrorReason } from '../../../text/errors.ts'
import { reasonOfStatus } from '../../http/failure.ts'
import { retryAfterMs } from '../../http/retry-after.ts'
import { newObservedReply, type ObservedReply, observePart, tokensFromUsage } from '../observe-reply.ts'
import { unreportedTokens } from '../reading.ts'

/** What the gateway saw of the requests of one call. */
export interface Metered {
  /**
   * The provider's own counts, summed over all that a program asked, what it hides and makes again included; null where
   * a reply broke off, for it was generated and not told. Undefined where no model's reply was seen.
   */
  tokens: Tokens | undefined
  /** Why the last request failed; undefined when it did not. */
  fault: Fault | undefined
}

/** What went wrong with a request, as its connection shows it. */
export interface Fault {
  reason: AgentErrorReason
  /** A status or a broken connection; else an error inside the reply, of which its words say more. */
  certain: boolean
  retryAfterMs?: number
}

/** Watches the replies to one call's requests as they pass through the gateway. */
export interface Meter {
  /** A request was sent. */
  begin(): Exchange
  /** The sum; a request that is still open counts as one that broke off. */
  read(): Metered
}

/** One request and its reply. */
export interface Exchange {
  /** `body`: the reply's bytes, unpacked. */
  answered(reply: IncomingMessage, body: Readable): void
  /** There was no connection, or it ended before a reply. */
  broke(code: string | undefined): void
}

type End =
  | { kind: 'aside' | 'broken' | 'unreached' }
  | { kind: 'refused'; status: number; retryAfterMs: number | undefined }
  | { kind: 'told'; reply: ObservedReply }

/** Errors before anything was sent, so that nothing can have been generated. */
const neverSent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** A meter for one call of a program. */
export function createMeter(): Meter {
  const exchanges: { end: End }[] = []
  return {
    begin() {
      const exchange: { end: End } = { end: { kind: 'broken' } }
      exchanges.push(exchange)
      return {
        answered: (reply, body) => watch(reply, body, (end) => (exchange.end = end)),
        broke: (code) => {
          if (neverSent.has(code ?? '')) exchange.end = { kind: 'unreached' }
        },
      }
    },
    read: () => {
      const ends = exchanges.map(({ end }) => end)
      return { tokens: tokensOf(ends), fault: faultOf(ends.findLast(({ kind }) => kind !== 'aside')) }
    },
  }
}

/** A longer reply, or event of one, is no model's, and would fill memory; characters. */
const longestText = 32 * 1024 * 1024

function watch(reply: IncomingMessage, body: Readable, settle: (end: End) => void): void {
  const status = reply.statusCode ?? 502
  if (status >= 400) {
    const headers = reply.headers as Record<string, string>
    settle({ kind: 'refused', status, retryAfterMs: retryAfterMs(headers, '') })
    return
  }
  const told = newObservedReply()
  const type = reply.headers['content-type'] ?? ''
  const isStream = type.includes('event-stream')
  const isRead = isStream || type.includes('json')
  // A program may hang up as soon as it has read the end.
  if (isStream) settle({ kind: 'told', reply: told })
  const decoder = new TextDecoder()
  let rest = ''
  body.on('data', (chunk: Buffer) => {
    if (!isRead) return
    rest += decoder.decode(chunk, { stream: true })
    if (rest.length > longestText) {
      told.unreadable = true
      rest = ''
    }
    if (!isStream) return
    const lines = rest.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) takeLine(told, line)
  })
  body.on('end', () => {
    if (!reply.complete) return
    if (isStream) return takeLine(told, rest)
    if (isRead) takeText(told, rest)
    settle(told.ofModel || told.unreadable ? { kind: 'told', reply: told } : { kind: 'aside' })
  })
}

function takeLine(told: ObservedReply, line: string): void {
  if (line.startsWith('data:')) takeText(told, line.slice(5))
}

function takeText(told: ObservedReply, text: string): void {
  if (text.trim() === '[DONE]') return
  try {
    observePart(told, JSON.parse(text))
  } catch {
    told.unreadable = true
  }
}

function tokensOf(ends: readonly End[]): Tokens | undefined {
  const generated = ends.filter(({ kind }) => kind === 'told' || kind === 'broken')
  // Where all were refused nothing was generated, and nothing told.
  if (generated.length === 0) return ends.some(({ kind }) => kind !== 'aside') ? unreportedTokens : undefined
  const counts = generated.map((end) =>
    end.kind === 'told' && end.reply.ended && !end.reply.failed
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

function faultOf(end: End | undefined): Fault | undefined {
  switch (end?.kind) {
    case 'unreached':
    case 'broken':
      return { reason: 'network', certain: true }
    case 'refused': {
      const { status, retryAfterMs } = end
      return {
        reason: reasonOfStatus(status),
        certain: true,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      }
    }
    case 'told': {
      const { ended, failed, unreadable } = end.reply
      if (failed || unreadable) return { reason: 'server', certain: false }
      return ended ? undefined : { reason: 'network', certain: true }
    }
    default:
      return undefined
  }
}
