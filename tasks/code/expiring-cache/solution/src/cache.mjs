import { createExpiry } from './expiry.mjs'
import { createStats } from './stats.mjs'

/** A cache of at most `capacity` entries; the least recently used goes first. */
export function createCache({ capacity, now, ttl = Number.POSITIVE_INFINITY }) {
  if (!Number.isInteger(capacity) || capacity < 1) throw new RangeError('capacity is an integer of at least 1')
  const expiry = createExpiry(ttl)
  const stats = createStats()
  const entries = new Map() // the least recently used entry comes first

  const alive = (entry) => entry !== undefined && !expiry.expired(entry.deadline, now())

  function expire(key) {
    entries.delete(key)
    stats.expire()
  }

  function sweep() {
    const dead = [...entries.keys()].filter((key) => !alive(entries.get(key)))
    for (const key of dead) expire(key)
    return dead.length
  }

  function makeRoom() {
    if (entries.size < capacity || sweep() > 0) return
    const [oldest] = entries.keys()
    entries.delete(oldest)
    stats.evict()
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!alive(entry)) {
        if (entry) expire(key)
        stats.miss()
        return undefined
      }
      stats.hit()
      entries.delete(key)
      entries.set(key, entry)
      return entry.value
    },
    set(key, value, ownTtl) {
      const deadline = expiry.deadline(now(), ownTtl)
      if (!entries.has(key)) makeRoom()
      entries.delete(key)
      entries.set(key, { value, deadline })
    },
    has: (key) => alive(entries.get(key)),
    delete(key) {
      const entry = entries.get(key)
      if (!entry) return false
      const wasAlive = alive(entry)
      if (wasAlive) entries.delete(key)
      else expire(key)
      return wasAlive
    },
    sweep,
    size: () => [...entries.values()].filter(alive).length,
    keys: () => [...entries.keys()].filter((key) => alive(entries.get(key))).reverse(),
    stats: () => stats.snapshot(),
  }
}
