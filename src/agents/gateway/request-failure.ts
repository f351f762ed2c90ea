import type { AgentErrorReason } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { failureOfBreak, failureOfEvent, retryAfterMs } from '../failures/failure.ts'
import { reasonOfRefusal } from '../failures/refusal-reason.ts'
import { wordsOfBody } from '../failures/server-words.ts'
import { breakOf } from '../wire/observe-reply.ts'
import { newWireReply } from '../wire/watch-reply.ts'
import type { End, Exchange } from './exchange.ts'

/** Why a request failed, as seen by the gateway. */
export interface RequestFailure {
  reason: AgentErrorReason
  /** True for a status, a broken connection, or an error in place of a reply. False for an error inside the reply, whose message says more. */
  certain: boolean
  /** The status of a refusal. */
  status?: number
  /** The server's message in a refusal or an error inside a reply; empty if the server gave no message. */
  words?: string
  retryAfterMs?: number
  /** The server said, in place of a finish reason, that it broke the reply off. A program may pass that on as an empty answer. */
  isBrokenOff?: boolean
}

const longestWords = 300

/**
 * Returns how to find why one of these requests failed; undefined for one that succeeded or asked no model. A whole reply in place of a
 * stream is a failure if the program asks the same again and again.
 */
export function failureFinder(exchanges: readonly Exchange[]): (one: Exchange) => RequestFailure | undefined {
  const vain = repeatedInVain(exchanges)
  return (one) => failureOfEnd(one.end) ?? (vain.has(one) ? noStream : undefined)
}

const noStream: RequestFailure = {
  reason: 'server',
  certain: true,
  words: 'a whole reply in place of a stream',
}

/** Returns why a request failed, from its end alone. What a server sends cannot make it throw. */
function failureOfEnd(end: End): RequestFailure | undefined {
  try {
    return readFailure(end)
  } catch {
    if (end.kind !== 'refused') return { reason: 'server', certain: false }
    return { reason: reasonOfRefusal(end.status, ''), certain: true, status: end.status }
  }
}

function readFailure(end: End): RequestFailure | undefined {
  switch (end.kind) {
    case 'none':
    case 'unreached':
    case 'broken':
      return { reason: 'network', certain: true }
    case 'page':
      return { reason: 'server', certain: true, words: 'an HTML page in place of a reply' }
    case 'refused': {
      const { status, headers, body } = end
      const wait = retryAfterMs(headers, body)
      return {
        reason: reasonOfRefusal(status, body),
        certain: true,
        status,
        words: shorten(wordsOfBody(body).message, longestWords),
        ...(wait !== undefined && { retryAfterMs: wait }),
      }
    }
    case 'read': {
      const { ended, failed, unreadable, error, isWhole, isModelReply } = end.reply
      // Of an error in place of a reply, a program that awaits a stream may see nothing.
      if (failed) return { ...failureInside(error), certain: isWhole === true && !isModelReply }
      if (unreadable) return { reason: 'server', certain: false }
      const word = breakOf(end.reply)
      if (word !== undefined) {
        const { reason, message } = failureOfBreak(word)
        return { reason, certain: false, words: message, isBrokenOff: true }
      }
      return ended ? undefined : { reason: 'network', certain: true }
    }
    default:
      return undefined
  }
}

function failureInside(error: unknown): Omit<RequestFailure, 'certain'> {
  const { reason, message, retryAfterMs } = failureOfEvent({ ...newWireReply(), error, parts: 1 })
  const words = shorten(message, longestWords)
  return { reason, words, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

/** Returns the requests that asked a model. If no path is known to do so, all others may have. */
export function modelExchanges(exchanges: readonly Exchange[]): readonly Exchange[] {
  const known = exchanges.filter(({ isModelPath }) => isModelPath)
  return known.length > 0 ? known : exchanges.filter(({ end }) => end.kind !== 'not-model')
}

/**
 * Returns the failure in which a program has spent its time: since its last good reply, for more than half of the time from `began` to
 * `now`, every request failed at the provider. Undefined if there was no such outage, or if a reply was awaited for longer than any of
 * these failures took.
 */
export function outageOf(
  exchanges: readonly Exchange[],
  began: number,
  now: number,
): RequestFailure | undefined {
  const timeOf = ({ began, over = now }: Exchange) => over - began
  const asked = modelExchanges(exchanges)
  const isOpen = ({ over, isLeft }: Exchange) => over === undefined || isLeft
  const failureOf = failureFinder(asked)
  const good = asked.filter((one) => !isOpen(one) && failureOf(one) === undefined)
  const since = Math.max(began, ...good.map(({ over = began }) => over))
  const later = asked.filter((one) => !good.includes(one) && one.began >= since)
  const failed = later.filter((one) => !isOpen(one))
  const longest = Math.max(0, ...failed.map(timeOf))
  const isAwaited = later.some((one) => isOpen(one) && (one.end.kind === 'read' || timeOf(one) > longest))
  const last = failed.at(-1)
  if (!last || isAwaited || (now - since) * 2 < now - began) return undefined
  return { ...(failureOf(last) as RequestFailure), certain: true }
}

/** Refusals that every further request would meet. `quota` is one only without a rate limit's status: an account without credit. */
const hopeless: readonly AgentErrorReason[] = ['key', 'not-found', 'quota']
const rateLimit = 429

/** After how many equal hopeless refusals in a row, and after how many failures of any kind in a row, a program is ended. */
const mostHopeless = 3
const mostFailures = 10

/** Whether a program only repeats requests that fail. Only requests in a known format count. */
export function isInVain(exchanges: readonly Exchange[]): boolean {
  const asked = exchanges.filter(({ isModelPath }) => isModelPath)
  if (asked.some(({ over, end }) => over === undefined && end.kind === 'read')) return false
  const failures: RequestFailure[] = []
  const failureOf = failureFinder(asked)
  for (const one of asked.toReversed()) {
    if (one.over === undefined || one.isLeft) continue
    const failure = failureOf(one)
    if (!failure || failures.push(failure) === mostFailures) break
  }
  if (failures.length === mostFailures) return true
  const last = failures.slice(0, mostHopeless)
  return (
    last.length === mostHopeless &&
    last.every(
      ({ reason, status }) => hopeless.includes(reason) && status !== rateLimit && reason === last[0]?.reason,
    )
  )
}

/** So many equal requests with a whole reply in place of a stream show that the program cannot use it. */
const mostEqual = 3

function repeatedInVain(exchanges: readonly Exchange[]): ReadonlySet<Exchange> {
  const unstreamed = new Map<string, Exchange[]>()
  for (const exchange of exchanges) {
    const { request, end } = exchange
    if (!request?.asksStream || end.kind !== 'read' || !end.reply.isWhole) continue
    const equal = unstreamed.get(request.hash) ?? []
    equal.push(exchange)
    unstreamed.set(request.hash, equal)
  }
  return new Set([...unstreamed.values()].filter(({ length }) => length >= mostEqual).flat())
}
