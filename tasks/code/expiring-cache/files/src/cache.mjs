import { createExpiry } from './expiry.mjs'
import { createStats } from './stats.mjs'

/** A cache of at most `capacity` entries; the least recently used goes first. */
export function createCache({ capacity, now, ttl = Number.POSITIVE_INFINITY }) {
  throw new Error('not implemented')
}
