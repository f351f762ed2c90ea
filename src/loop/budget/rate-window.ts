import type { RateLimits } from '../../schema/limits.ts'

/** How a call ended, as far as the rate is concerned. */
export interface CallEnd {
  /** Undefined: not reported, so that what was expected of it stays counted. */
  tokens?: number | undefined
  /** Answered as one too many (HTTP 429, overloaded). Undefined: nobody knows, since it was cut off. */
  refused?: boolean | undefined
  /** How long everybody is asked to stay away; ms. */
  retryAfterMs?: number | undefined
}

/** The rate of one account: who may call now. Times are ms of any one clock that never goes back. */
export interface Rate {
  /** How long a call of so many tokens has to wait; ms. Infinity: until a call that is in flight has ended. */
  delay(now: number, tokens: number): number
  /** Counts a call that goes out; gives its ticket. */
  begin(now: number, tokens: number): number
  end(now: number, ticket: number, end: CallEnd): void
  /** Calls that may be in flight together. */
  window(): number
}

const minute = 60_000

/** Answers, at least, before one call more is tried: each try may cost an ask one of its retries. */
const leastAnswers = 10

/**
 * A rate with additive increase and multiplicative decrease (AIMD; Chiu and Jain 1989). It begins with what the limits
 * allow. A refused call halves the window of calls in flight, once for all that were in flight together; a whole window
 * of answered calls, and ten at least, widens it by one where it was used up. Has no clock and no timer of its own.
 */
export function openRate(limits: RateLimits): Rate {
  const { concurrent = Number.POSITIVE_INFINITY, requestsPerMinute, tokensPerMinute } = limits
  let window = concurrent
  let answered = 0
  let away = Number.NEGATIVE_INFINITY
  let tickets = 0
  let cutAt = 0
  /** Tokens expected, by ticket. */
  const flying = new Map<number, number>()
  let expected = 0
  const begun: number[] = []
  let used: { at: number; tokens: number }[] = []

  const tokenDelay = (now: number, tokens: number) => {
    if (tokensPerMinute === undefined) return 0
    used = used.filter(({ at }) => at > now - minute)
    let sum = expected + used.reduce((total, one) => total + one.tokens, 0)
    // A call that is larger than the limit goes out alone, or it never would.
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
      if (flying.size >= window) return Number.POSITIVE_INFINITY
      return Math.max(0, away - now, requestDelay(now), tokenDelay(now, tokens))
    },
    begin(now, tokens) {
      flying.set(++tickets, tokens)
      expected += tokens
      if (requestsPerMinute !== undefined) begun.push(now)
      return tickets
    },
    end(now, ticket, { tokens, refused, retryAfterMs = 0 }) {
      const inFlight = flying.size
      const reserved = flying.get(ticket) ?? 0
      flying.delete(ticket)
      expected = flying.size === 0 ? 0 : expected - reserved
      if (tokensPerMinute !== undefined) used.push({ at: now, tokens: tokens ?? reserved })
      if (retryAfterMs > 0) away = Math.max(away, now + retryAfterMs)
      if (refused && ticket > cutAt) {
        window = Math.max(1, Math.floor(Math.min(window, inFlight) / 2))
        cutAt = tickets
        answered = 0
      } else if (refused === false && inFlight >= window && ++answered >= Math.max(window, leastAnswers)) {
        window = Math.min(concurrent, window + 1)
        answered = 0
      }
    },
    window: () => window,
  }
}
