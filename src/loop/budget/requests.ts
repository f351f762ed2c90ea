import type { RequestUse } from '../../agents/agent.ts'
import type { Budget } from '../../schema/limits.ts'
import { type ReachedLimit, reachedLimit, type Used } from './limits.ts'
import { roundedSum } from './spending.ts'

/** Limits that hold for the requests inside of calls, what is spent under them, and what is expected of requests in flight. */
export interface RequestScope {
  limits: Budget
  spent: Used
  open: { requests: number; tokens: number; costUsd: number }
}

/** Opens the scope of some limits, under which something may be spent already. */
export const newRequestScope = (limits: Budget, spent: Used): RequestScope => ({
  limits,
  spent,
  open: { requests: 0, tokens: 0, costUsd: 0 },
})

/** Returns a limit that forbids another request; undefined if none does. `isCounted`: the calls in `spent` include this request. */
export const limitOfRequest = (
  { limits, spent }: RequestScope,
  isCounted: boolean,
): ReachedLimit | undefined =>
  reachedLimit(limits, isCounted ? { ...spent, calls: spent.calls - 1 } : spent, 'request')

/** Returns whether there is room for a request beside those in flight. One alone may always go out: nothing could make room for it. */
export function hasRoomFor({ limits, spent, open }: RequestScope, expected: RequestUse): boolean {
  if (open.requests === 0) return true
  const fits = (unit: 'tokens' | 'costUsd') =>
    spent[unit] + open[unit] + (expected[unit] ?? 0) <= (limits[unit] ?? Number.POSITIVE_INFINITY)
  return fits('tokens') && fits('costUsd')
}

/** Counts a request that goes out. */
export function openRequest(scope: RequestScope, expected: RequestUse, isCounted: boolean): void {
  if (!isCounted) scope.spent.calls++
  addOpen(scope, expected, 1)
}

/** Counts the use of a request that is over. */
export function closeRequest(scope: RequestScope, expected: RequestUse, used: RequestUse): void {
  addOpen(scope, expected, -1)
  scope.spent.tokens += used.tokens
  scope.spent.costUsd = roundedSum(scope.spent.costUsd + (used.costUsd ?? 0))
}

function addOpen({ open }: RequestScope, { tokens, costUsd }: RequestUse, sign: 1 | -1): void {
  open.requests += sign
  open.tokens += sign * tokens
  open.costUsd = roundedSum(open.costUsd + sign * (costUsd ?? 0))
}

/** Tells all who wait that something has ended. */
export interface Bell {
  /** Resolves when the bell rings next. */
  whenEnded(): Promise<void>
  ring(): void
}

/** Creates a bell. */
export function createBell(): Bell {
  let wake = () => {}
  const next = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  let ended = next()
  return {
    whenEnded: () => ended,
    ring() {
      wake()
      ended = next()
    },
  }
}
