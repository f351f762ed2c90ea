import type { Backend } from './rules.ts'

/** At most `limit` units in any `windowMs` milliseconds. */
export function slidingWindow(options: { limit: number; windowMs: number }): Backend {
  throw new Error('not implemented')
}
