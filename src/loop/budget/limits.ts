import type { AskStep } from '../../schema/ledger/step.ts'
import type { Limits } from '../../schema/limits.ts'
import { roundedSum } from './spending.ts'

/** What can be limited. */
export type Unit = keyof Limits

/** How much of everything that can be limited is used. */
export type Used = Record<Unit, number>

/** A limit that is reached: its name and the sentence for the record. */
export interface ReachedLimit {
  limit: Unit
  reason: string
}

const says: Record<Unit, (used: number, of: number) => string> = {
  calls: (used, of) => `${used} of ${of} calls used`,
  checks: (used, of) => `${used} of ${of} checks used`,
  tokens: (used, of) => `${used} of ${of} tokens used`,
  costUsd: (used, of) => `$${used.toFixed(4)} of $${of} spent`,
  timeMs: (used, of) => `${Math.round(used)} of ${of} ms used`,
}

const limitsOf = {
  ask: ['calls', 'tokens', 'costUsd', 'timeMs'],
  check: ['checks', 'tokens', 'costUsd', 'timeMs'],
} as const

/** Which limit forbids another effect, whatever it is a limit of; undefined when none does. */
export function reachedLimit(
  limits: Limits,
  used: Readonly<Used>,
  effect: keyof typeof limitsOf,
): ReachedLimit | undefined {
  for (const limit of limitsOf[effect]) {
    const of = limits[limit]
    if (of !== undefined && used[limit] >= of) return { limit, reason: says[limit](used[limit], of) }
  }
  return undefined
}

/** Whether nothing is limited. */
export const isUnlimited = (limits: Limits) => Object.keys(limits).length === 0

const levels = [95, 80, 50] as const

/** So many percent of a limit are used. */
export interface Alert<Limited extends Unit = Unit> {
  limit: Limited
  percent: (typeof levels)[number]
  used: number
  of: number
}

/** The levels that are newly passed, at most one of each limit; `reported` remembers them. */
export function newAlerts<Limited extends Unit>(
  limits: Readonly<Partial<Record<Limited, number | undefined>>>,
  used: Readonly<Record<Limited, number>>,
  reported: Set<string>,
): Alert<Limited>[] {
  const alerts: Alert<Limited>[] = []
  for (const [limit, of] of Object.entries(limits) as [Limited, number][]) {
    const percent = levels.find((level) => used[limit] >= roundedSum((of * level) / 100))
    if (percent === undefined || reported.has(`${limit} ${percent}`)) continue
    // Whoever jumps over a level need not hear of the lower ones.
    for (const level of levels) if (level <= percent) reported.add(`${limit} ${level}`)
    alerts.push({ limit, percent, used: used[limit], of })
  }
  return alerts
}

/** What a method has spent that a limit of its own or of the run may look at. */
export interface Spent extends Used {
  /** Calls whose tokens, and whose price, were not reported. */
  unreportedTokens: number
  unreportedCost: number
}

/** Nothing spent. */
export function nothingSpent(): Spent {
  return { calls: 0, checks: 0, tokens: 0, costUsd: 0, timeMs: 0, unreportedTokens: 0, unreportedCost: 0 }
}

/** Adds what a call used, but for the call itself. */
export function addUsage(spent: Spent, { tokens, costUsd, durationMs }: AskStep): void {
  spent.tokens += (tokens.input ?? 0) + (tokens.output ?? 0)
  spent.costUsd = roundedSum(spent.costUsd + (costUsd ?? 0))
  spent.timeMs += durationMs
  if (tokens.input === null || tokens.output === null) spent.unreportedTokens++
  if (costUsd === null) spent.unreportedCost++
}
