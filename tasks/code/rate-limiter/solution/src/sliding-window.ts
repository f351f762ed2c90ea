import type { Backend, Decision } from './rules.ts'

/** At most `limit` units in any `windowMs` milliseconds. */
export function slidingWindow(options: { limit: number; windowMs: number }): Backend {
  const { limit, windowMs } = options
  if (!isCount(limit)) throw new RangeError('the limit is an integer of at least 1')
  if (!isCount(windowMs)) throw new RangeError('the window is an integer of at least 1')
  let taken: { at: number; cost: number }[] = []
  let latest = Number.NEGATIVE_INFINITY

  const used = () => taken.reduce((sum, { cost }) => sum + cost, 0)

  function peek(now: number, cost: number): Decision {
    if (!isCount(cost)) throw new RangeError('a cost is an integer of at least 1')
    latest = Math.max(latest, now)
    taken = taken.filter(({ at }) => latest < at + windowMs)
    const remaining = limit - used()
    const allowed = cost <= remaining
    return { allowed, remaining, retryAfterMs: allowed ? 0 : wait(cost - remaining) }
  }

  /** Milliseconds until so many units have left the window. */
  function wait(missing: number): number {
    let freed = 0
    for (const { at, cost } of taken) {
      freed += cost
      if (freed >= missing) return Math.ceil(at + windowMs - latest)
    }
    return Number.POSITIVE_INFINITY
  }

  function take(now: number, cost: number): Decision {
    const decision = peek(now, cost)
    if (!decision.allowed) return decision
    taken.push({ at: latest, cost })
    return { ...decision, remaining: decision.remaining - cost }
  }

  return { peek, take }
}

function isCount(value: number): boolean {
  return Number.isInteger(value) && value >= 1
}
