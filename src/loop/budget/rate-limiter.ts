import type { Account } from '../../agents/agent.ts'
import { valueAt } from '../../base/grouping.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import type { RateLimits } from '../../schema/limits.ts'

interface Slot {
  /** How long the call waited for it; ms. */
  waitedMs: number
  /** Gives the slot back. Must be called once, however the call ended. */
  end(end: CallEnd): void
}

/** Delays calls until the rate limits of their account allow them. */
export interface RateLimiter {
  /** Waits for a slot; undefined if aborted. `tokens` is the expected use of the call. */
  acquire(account: Account, method: string, tokens: number, signal: AbortSignal): Promise<Slot | undefined>
}

interface Waiting {
  tokens: number
  go(): void
}

interface AccountQueue {
  rate: RateWindow
  /** By method, in the order in which they are served next. */
  waiting: Map<string, Waiting[]>
  timer: NodeJS.Timeout | undefined
  /** A refused call was reported. */
  isReported: boolean
}

/**
 * Creates the rate limiter of a session. Methods that wait for the same account are served in turn, whatever the number of
 * their calls, so that none starves; calls of one method are served in order. The first refusal of an account is reported.
 */
export function createRateLimiter(onWarning: (message: string) => void): RateLimiter {
  const queues = new Map<string, AccountQueue>()

  return {
    acquire({ name, limits }, method, tokens, signal) {
      const account = valueAt(queues, name, () => ({
        ...{ rate: createRateWindow(limits), waiting: new Map(), timer: undefined, isReported: false },
      }))
      const since = performance.now()
      return new Promise((resolve) => {
        if (signal.aborted) return resolve(undefined)
        const call: Waiting = {
          tokens,
          go() {
            signal.removeEventListener('abort', leave)
            const now = performance.now()
            const id = account.rate.begin(now, tokens)
            const end = (end: CallEnd) => {
              account.rate.end(performance.now(), id, end)
              if (end.refused && !account.isReported) {
                account.isReported = true
                onWarning(
                  `${name} rejects calls because of its rate limit, so bench now runs fewer in parallel; the waiting time does not count for trials`,
                )
              }
              startNext(account)
            }
            resolve({ waitedMs: Math.round(now - since), end })
          },
        }
        const leave = () => {
          remove(account.waiting, method, call)
          resolve(undefined)
          startNext(account)
        }
        signal.addEventListener('abort', leave, { once: true })
        valueAt(account.waiting, method, () => []).push(call)
        startNext(account)
      })
    },
  }
}

function startNext(account: AccountQueue): void {
  clearTimeout(account.timer)
  for (const [method, queue] of account.waiting) {
    const [call] = queue
    if (!call) continue
    const delay = account.rate.delay(performance.now(), call.tokens)
    if (delay > 0) {
      // No call overtakes another: a large call would wait for ever behind small ones.
      if (Number.isFinite(delay))
        account.timer = setTimeout(() => startNext(account), Math.min(Math.ceil(delay), longestTimer))
      return
    }
    account.waiting.delete(method)
    queue.shift()
    // The method goes to the end of the map, so this loop reaches it again.
    if (queue.length > 0) account.waiting.set(method, queue)
    call.go()
  }
}

function remove(waiting: Map<string, Waiting[]>, method: string, call: Waiting): void {
  const rest = (waiting.get(method) ?? []).filter((one) => one !== call)
  // The method keeps its place in the order.
  if (rest.length > 0) waiting.set(method, rest)
  else waiting.delete(method)
}

/** How a call ended, as far as the rate is concerned. */
export interface CallEnd {
  /** Tokens used; undefined: not reported, so the expected number stays counted. */
  tokens?: number | undefined
  /** The provider refused it as one too many (HTTP 429, overloaded). Undefined: unknown, since the call was cut off. */
  refused?: boolean | undefined
  /** How long the provider asks all callers to wait; ms. */
  retryAfterMs?: number | undefined
}

/** Decides when calls of one account may begin. Times are in ms of a clock that never goes back. */
export interface RateWindow {
  /** How long a call with this number of tokens has to wait; ms. Infinity: until a call in flight has ended. */
  delay(now: number, tokens: number): number
  /** Counts a call that begins, and returns its id. */
  begin(now: number, tokens: number): number
  end(now: number, id: number, end: CallEnd): void
  /** The number of calls that may be in flight together. */
  maxInFlight(): number
}

const minute = 60_000

/** Least number of answers before one more call is tried in parallel: each try may cost an ask one of its retries. */
const minAnswers = 10

/**
 * Creates a window with additive increase and multiplicative decrease (AIMD; Chiu and Jain 1989). It begins with what the limits
 * allow. A refused call halves the number of calls that may be in flight, once for all calls in flight together. A full
 * window of answered calls, at least ten, raises it by one if all of it was in use. It has no clock and no timer.
 */
export function createRateWindow(limits: RateLimits): RateWindow {
  const { concurrent = Number.POSITIVE_INFINITY, requestsPerMinute, tokensPerMinute } = limits
  let window = concurrent
  let answered = 0
  let pausedUntil = Number.NEGATIVE_INFINITY
  let lastId = 0
  let halvedAt = 0
  /** Expected tokens of each call, by id. */
  const inFlight = new Map<number, number>()
  let expected = 0
  const begun: number[] = []
  let used: { at: number; tokens: number }[] = []

  const tokenDelay = (now: number, tokens: number) => {
    if (tokensPerMinute === undefined) return 0
    used = used.filter(({ at }) => at > now - minute)
    let sum = expected + used.reduce((total, one) => total + one.tokens, 0)
    // A call that is larger than the limit goes out alone.
    if (sum === 0 || sum + tokens <= tokensPerMinute) return 0
    for (const one of used) {
      sum -= one.tokens
      if (sum === 0 || sum + tokens <= tokensPerMinute) return one.at + minute - now
    }
    return Number.POSITIVE_INFINITY
  }
  const requestDelay = (now: number) => {
    if (requestsPerMinute === undefined) return 0
    while (begun.length > 0 && (begun[0] as number) <= now - minute) begun.shift()
    const oldest = begun.at(-requestsPerMinute)
    return oldest === undefined ? 0 : oldest + minute - now
  }

  return {
    delay(now, tokens) {
      if (inFlight.size >= window) return Number.POSITIVE_INFINITY
      return Math.max(0, pausedUntil - now, requestDelay(now), tokenDelay(now, tokens))
    },
    begin(now, tokens) {
      inFlight.set(++lastId, tokens)
      expected += tokens
      if (requestsPerMinute !== undefined) begun.push(now)
      return lastId
    },
    end(now, id, { tokens, refused, retryAfterMs = 0 }) {
      const callsInFlight = inFlight.size
      const reserved = inFlight.get(id) ?? 0
      inFlight.delete(id)
      expected = inFlight.size === 0 ? 0 : expected - reserved
      if (tokensPerMinute !== undefined) used.push({ at: now, tokens: tokens ?? reserved })
      if (retryAfterMs > 0) pausedUntil = Math.max(pausedUntil, now + retryAfterMs)
      if (refused && id > halvedAt) {
        window = Math.max(1, Math.floor(Math.min(window, callsInFlight) / 2))
        halvedAt = lastId
        answered = 0
      } else if (refused === false && callsInFlight >= window && ++answered >= Math.max(window, minAnswers)) {
        window = Math.min(concurrent, window + 1)
        answered = 0
      }
    },
    maxInFlight: () => window,
  }
}
