import type { Strategy } from '../../strategy.ts'

/** A strategy with the digest of its source. */
export interface KnownStrategy {
  strategy: Strategy
  /** SHA-256 of its source. */
  digest: string
}
