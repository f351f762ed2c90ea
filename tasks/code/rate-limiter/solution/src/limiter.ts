import type { Rule, Verdict } from './rules.ts'

/** All rules at once, or none. */
export function createLimiter(rules: readonly Rule[]): { check(now: number, cost?: number): Verdict } {
  if (rules.length === 0) throw new RangeError('there must be a rule')
  if (new Set(rules.map(({ name }) => name)).size < rules.length) throw new RangeError('a name stands there twice')

  function check(now: number, cost = 1): Verdict {
    const peeked = rules.map(({ name, backend }) => ({ name, ...backend.peek(now, cost) }))
    const deniedBy = peeked.filter(({ allowed }) => !allowed).map(({ name }) => name)
    const allowed = deniedBy.length === 0
    const decisions = allowed ? rules.map(({ backend }) => backend.take(now, cost)) : peeked
    return {
      allowed,
      deniedBy,
      remaining: Math.min(...decisions.map(({ remaining }) => remaining)),
      retryAfterMs: Math.max(...decisions.map(({ retryAfterMs }) => retryAfterMs)),
    }
  }

  return { check }
}
