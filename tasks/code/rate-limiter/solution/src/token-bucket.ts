import type { Backend, Decision } from './rules.ts'

/** A bucket that is refilled continuously. */
export function tokenBucket(options: { capacity: number; refillPerSecond: number }): Backend {
  const { capacity, refillPerSecond } = options
  if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError('capacity is an integer of at least 1')
  if (!Number.isFinite(refillPerSecond) || refillPerSecond <= 0) throw new RangeError('the refill is above 0')
  let tokens = capacity
  let latest = Number.NEGATIVE_INFINITY

  function refill(now: number): void {
    if (now <= latest) return
    const passed = latest === Number.NEGATIVE_INFINITY ? 0 : now - latest
    tokens = Math.min(capacity, tokens + (passed * refillPerSecond) / 1000)
    latest = now
  }

  function peek(now: number, cost: number): Decision {
    if (!Number.isInteger(cost) || cost < 1) throw new RangeError('a cost is an integer of at least 1')
    refill(now)
    const allowed = tokens >= cost
    const wait = cost > capacity ? Number.POSITIVE_INFINITY : Math.ceil(((cost - tokens) * 1000) / refillPerSecond)
    return { allowed, remaining: Math.floor(tokens), retryAfterMs: allowed ? 0 : wait }
  }

  function take(now: number, cost: number): Decision {
    const decision = peek(now, cost)
    if (!decision.allowed) return decision
    tokens -= cost
    return { ...decision, remaining: Math.floor(tokens) }
  }

  return { peek, take }
}
