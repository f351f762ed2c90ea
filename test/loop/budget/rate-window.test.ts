import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateWindow, type RateWindow } from '../../../src/loop/budget/rate-limiter.ts'
import type { RateLimits } from '../../../src/schema/limits.ts'

const minute = 60_000

/** A call as seen by the simulated provider of these tests. */
interface Seen {
  begun: number
  ended: number
  tokens: number
}

/**
 * Plays calls that all wait from the start against a provider that refuses calls above `capacity` in flight, on a simulated
 * clock. Refused calls go to the end of the queue. Returns the served calls in order.
 */
function play(
  limits: RateLimits,
  calls: readonly { ms: number; tokens: number }[],
  capacity = Number.POSITIVE_INFINITY,
  retryAfterMs = 0,
) {
  const rate = createRateWindow(limits)
  const line = calls.map((call) => ({ ...call }))
  const flying: {
    at: number
    ticket: number
    refused: boolean
    begun: number
    ms: number
    tokens: number
  }[] = []
  const seen: Seen[] = []
  const windows: number[] = []
  let refusals = 0
  let most = 0
  let now = 0
  for (let turns = 0; line.length > 0 || flying.length > 0; turns++) {
    if (turns > 100_000) throw new Error('starved')
    const [next] = line
    const delay = next ? rate.delay(now, next.tokens) : Number.POSITIVE_INFINITY
    if (next && delay === 0) {
      line.shift()
      const refused = flying.length >= capacity
      const ms = refused ? 1 : next.ms
      flying.push({ ...next, ticket: rate.begin(now, next.tokens), at: now + ms, refused, begun: now })
      most = Math.max(most, flying.length)
      continue
    }
    flying.sort((a, b) => a.at - b.at)
    const first = flying[0]
    if (!first && !Number.isFinite(delay)) throw new Error('nobody will ever go')
    if (!first || now + delay < first.at) {
      now += delay
      continue
    }
    flying.shift()
    now = first.at
    rate.end(now, first.ticket, {
      refused: first.refused,
      tokens: first.refused ? 0 : first.tokens,
      ...(first.refused && { retryAfterMs }),
    })
    windows.push(rate.maxInFlight())
    if (first.refused) {
      refusals++
      line.push({ ms: first.ms, tokens: first.tokens })
    } else seen.push({ begun: first.begun, ended: now, tokens: first.tokens })
  }
  return { seen, refusals, most, windows, rate }
}

const aCall = fc.record({ ms: fc.integer({ min: 1, max: 30_000 }), tokens: fc.integer({ min: 1, max: 500 }) })
const someCalls = fc.array(aCall, { minLength: 1, maxLength: 60 })

describe('the rate window of an account', () => {
  it('never has more calls in flight than the limit allows, and serves all calls', () => {
    fc.assert(
      fc.property(someCalls, fc.integer({ min: 1, max: 8 }), (calls, concurrent) => {
        const { seen, most } = play({ concurrent }, calls)
        expect(most).toBeLessThanOrEqual(concurrent)
        expect(most).toBe(Math.min(concurrent, calls.length))
        expect(seen).toHaveLength(calls.length)
      }),
    )
  })

  it('never begins more calls in any minute than the limit allows', () => {
    fc.assert(
      fc.property(someCalls, fc.integer({ min: 1, max: 20 }), (calls, requestsPerMinute) => {
        const begun = play({ requestsPerMinute }, calls).seen.map((call) => call.begun)
        expect(begun).toHaveLength(calls.length)
        for (const from of begun)
          expect(begun.filter((at) => at >= from && at < from + minute).length).toBeLessThanOrEqual(
            requestsPerMinute,
          )
      }),
    )
  })

  it('keeps the tokens in flight and of the last minute within the limit, except for a single call that is larger', () => {
    fc.assert(
      fc.property(someCalls, fc.integer({ min: 100, max: 2000 }), (calls, tokensPerMinute) => {
        const { seen } = play({ tokensPerMinute }, calls)
        expect(seen).toHaveLength(calls.length)
        for (const { begun: at, tokens } of seen) {
          const counted = seen.filter(({ begun, ended }) => begun <= at && ended > at - minute)
          const sum = counted.reduce((total, one) => total + one.tokens, 0)
          if (sum > tokensPerMinute)
            expect({ tokens, others: counted.length - 1 }).toEqual({ tokens: sum, others: 0 })
        }
      }),
    )
  })

  it('is halved once by calls that are refused together, to at least one', () => {
    const rate = createRateWindow({ concurrent: 8 })
    const tickets = Array.from({ length: 8 }, () => rate.begin(0, 1))
    for (const ticket of tickets) rate.end(1, ticket, { refused: true })
    expect(rate.maxInFlight()).toBe(4)
    for (let i = 0; i < 5; i++) rate.end(2, rate.begin(2, 1), { refused: true })
    expect(rate.maxInFlight()).toBe(1)
  })

  it('counts a call that was cut off neither as answered nor as refused', () => {
    const rate = createRateWindow({ concurrent: 2 })
    rate.end(1, rate.begin(0, 1), { refused: true })
    for (let i = 0; i < 50; i++) rate.end(2, rate.begin(2, 1), {})
    expect(rate.maxInFlight()).toBe(1)
  })

  it("begins no call during the provider's retry-after", () => {
    const rate = createRateWindow({})
    const [one, other] = [rate.begin(0, 1), rate.begin(0, 1)]
    rate.end(10, one, { refused: true, retryAfterMs: 5000 })
    rate.end(20, other, { refused: false, retryAfterMs: 0 })
    expect(rate.delay(20, 1)).toBe(4990)
    expect(rate.delay(5010, 1)).toBe(0)
  })

  it("converges to the provider's capacity: every call succeeds, and few are refused", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 0, max: 3000 }),
        (capacity, retryAfterMs) => {
          const calls = Array.from({ length: 400 }, () => ({ ms: 1000, tokens: 1 }))
          const { seen, refusals, windows } = play({ concurrent: 64 }, calls, capacity, retryAfterMs)
          expect(seen).toHaveLength(400)
          // All calls of the first window, as many again while it is halved, and one try per ten answers.
          expect(refusals).toBeLessThan(64 + 64 + 400 / 10)
          const late = windows.slice(windows.length / 2)
          expect(Math.max(...late)).toBeLessThanOrEqual(capacity + 1)
          expect(Math.min(...late)).toBeGreaterThanOrEqual(Math.max(1, Math.floor((capacity + 1) / 2)))
        },
      ),
      { numRuns: 30 },
    )
  })

  it('recovers from one to its full size after enough answers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), (concurrent) => {
        const rate = createRateWindow({ concurrent })
        for (let i = 0; i < 10; i++) rate.end(0, rate.begin(0, 1), { refused: true })
        expect(rate.maxInFlight()).toBe(1)
        answerFull(rate, concurrent * Math.max(concurrent, 10))
        expect(rate.maxInFlight()).toBe(concurrent)
      }),
    )
  })

  it('does not widen if calls do not fill it', () => {
    const rate = createRateWindow({})
    const tickets = Array.from({ length: 8 }, () => rate.begin(0, 1))
    for (const ticket of tickets) rate.end(1, ticket, { refused: true })
    for (let i = 0; i < 100; i++) rate.end(2, rate.begin(2, 1), { refused: false })
    expect(rate.maxInFlight()).toBe(4)
  })
})

/** Answers this number of calls while the window is full. */
function answerFull(rate: RateWindow, answers: number): void {
  const flying: number[] = []
  const fill = () => {
    while (rate.delay(1, 1) === 0) flying.push(rate.begin(1, 1))
  }
  for (let i = 0; i < answers; i++) {
    fill()
    rate.end(1, flying.shift() as number, { refused: false })
  }
}
