import type { Rule, Verdict } from './rules.ts'

/** All rules at once, or none. */
export function createLimiter(rules: readonly Rule[]): { check(now: number, cost?: number): Verdict } {
  throw new Error('not implemented')
}
