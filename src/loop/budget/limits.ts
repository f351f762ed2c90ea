import type { AskStep } from '../../schema/ledger/step.ts'
import type { Limits } from '../../schema/limits.ts'
import { countedUse, roundedSum } from './spending.ts'

/** The name of a limit. */
export type Unit = keyof Limits

/** How much of each limit is used. */
export type Used = Record<Unit, number>

/** A limit that is reached: its name, and the reason for the record. */
export interface ReachedLimit {
  limit: Unit
  reason: string
}

const reasons: Record<Unit, (used: number, of: number) => string> = {
  calls: (used, of) => `${used} of ${of} calls used`,
  checks: (used, of) => `${used} of ${of} checks used`,
  tokens: (used, of) => `${used} of ${of} tokens used`,
  costUsd: (used, of) => `$${used.toFixed(4)} of $${of} spent`,
  timeMs: (used, of) => `${Math.round(used)} of ${of} ms used`,
}

const limitsOf = {
  ask: ['calls', 'tokens', 'costUsd', 'timeMs'],
  check: ['checks', 'tokens', 'costUsd', 'timeMs'],
  stage: ['timeMs'],
  request: ['calls', 'tokens', 'costUsd'],
} as const

/** Returns a limit that forbids another effect; undefined if none does. */
export function reachedLimit(
  limits: Limits,
  used: Readonly<Used>,
  effect: keyof typeof limitsOf,
): ReachedLimit | undefined {
  for (const limit of limitsOf[effect]) {
    const of = limits[limit]
    if (of !== undefined && used[limit] >= of) return { limit, reason: reasons[limit](used[limit], of) }
  }
  return undefined
}

/** Returns whether there is no limit. */
export const isUnlimited = (limits: Limits) => Object.keys(limits).length === 0

const levels = [95, 80, 50] as const

/** A level of use of a limit, in percent, is reached. */
export interface Alert<Limited extends Unit = Unit> {
  limit: Limited
  percent: (typeof levels)[number]
  used: number
  of: number
}

/** Returns newly reached levels, at most one for each limit, and adds them to `reported`. */
export function newAlerts<Limited extends Unit>(
  limits: Readonly<Partial<Record<Limited, number | undefined>>>,
  used: Readonly<Record<Limited, number>>,
  reported: Set<string>,
): Alert<Limited>[] {
  const alerts: Alert<Limited>[] = []
  for (const [limit, of] of Object.entries(limits) as [Limited, number][]) {
    const percent = levels.find((level) => used[limit] >= roundedSum((of * level) / 100))
    if (percent === undefined || reported.has(`${limit} ${percent}`)) continue
    // Lower levels that were skipped are not reported.
    for (const level of levels) if (level <= percent) reported.add(`${limit} ${level}`)
    alerts.push({ limit, percent, used: used[limit], of })
  }
  return alerts
}

/** What a method has spent, as far as limits of the method or the run count it. */
export interface Spent extends Used {
  unreportedTokens: number
  /** Calls whose cost was not reported. */
  unreportedCost: number
  /** The part of `calls` that is further requests inside of calls. */
  furtherRequests: number
}

/** Returns a sum of zero. */
export function nothingSpent(): Spent {
  const unreported = { unreportedTokens: 0, unreportedCost: 0 }
  return { calls: 0, furtherRequests: 0, checks: 0, tokens: 0, costUsd: 0, timeMs: 0, ...unreported }
}

/** Adds the tokens, cost and time of a call. The number of calls is counted when a call begins. */
export function addUsage(spent: Spent, step: AskStep): void {
  const { calls, tokens, costUsd, isTokensKnown } = countedUse(step)
  spent.furtherRequests += calls - 1
  spent.tokens += tokens
  spent.costUsd = roundedSum(spent.costUsd + (costUsd ?? 0))
  spent.timeMs += step.durationMs
  if (!isTokensKnown) spent.unreportedTokens++
  if (costUsd === null) spent.unreportedCost++
}
