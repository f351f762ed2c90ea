import type { Backend } from './rules.ts'

/** A bucket that is refilled continuously. */
export function tokenBucket(options: { capacity: number; refillPerSecond: number }): Backend {
  throw new Error('not implemented')
}
