import type { RequestUse } from '../../agents/agent.ts'
import type { Budget, Budgets, LimitUse } from '../../schema/limits.ts'
import { nothingSpent, type ReachedLimit, reachedLimit, type Spent, type Used } from './limits.ts'
import { roundedSum } from './spending.ts'

/** The limits of the run or of a method, and what is spent under them. */
export interface Scope extends RequestScope {
  name: Pick<LimitUse, 'scope' | 'method'>
  spent: Spent
  /** Limits and levels for which an alert was reported. */
  reported: Set<string>
  stopped: boolean
}

/** The limits of a run and of its methods. */
export type Scopes = ReturnType<typeof openScopes>

/** Returns the limits of the run and of its methods, each with what is spent under it. */
export function openScopes(budgets: Budgets, earlier: ReadonlyMap<string, Spent>, now: () => number) {
  const run = scopeOf({ scope: 'run' }, budgets.run, [...earlier.values()].reduce(sum, nothingSpent()))
  const methods = new Map(
    Object.entries(budgets.methods).map(([method, limits]) => [
      method,
      scopeOf({ scope: 'method', method }, limits, earlier.get(method) ?? nothingSpent()),
    ]),
  )
  const readClock = () => {
    run.spent.timeMs = now()
  }
  const of = (method: string) => {
    const own = methods.get(method)
    return own ? [run, own] : [run]
  }
  /** Returns whether no limit of a method is reached, and marks reached ones as those that stopped work. */
  const haveRoom = (method: string, isReached: (scope: Scope) => boolean) => {
    readClock()
    const closed = of(method).filter(isReached)
    for (const scope of closed) scope.stopped = true
    return closed.length === 0
  }
  readClock()
  return {
    ...{ run, methods, all: [run, ...methods.values()], readClock, of },
    mayAsk: (method: string) =>
      haveRoom(method, ({ limits, spent }) => reachedLimit(limits, spent, 'ask') !== undefined),
    mayCheck: (method: string) =>
      haveRoom(method, ({ limits, spent }) => spent.timeMs >= (limits.timeMs ?? Infinity)),
  }
}

function scopeOf(name: Scope['name'], limits: Budget, spent: Spent): Scope {
  const own = { ...spent }
  return { ...newRequestScope(limits, own), name, spent: own, reported: new Set(), stopped: false }
}

function sum(total: Spent, more: Spent): Spent {
  for (const field of Object.keys(total) as (keyof Spent)[]) total[field] += more[field]
  total.costUsd = roundedSum(total.costUsd)
  return total
}

/** Returns each limit with its use. */
export function limitUsesOf({ name, limits, spent, stopped }: Scope): LimitUse[] {
  return (Object.entries(limits) as [LimitUse['limit'], number][]).map(([limit, of]) => {
    const used = spent[limit]
    const unreported =
      limit === 'costUsd' ? spent.unreportedCost : limit === 'tokens' ? spent.unreportedTokens : 0
    return {
      ...name,
      limit,
      of,
      used,
      over: roundedSum(Math.max(0, used - of)),
      unreported,
      // A limit that is not reached did not stop anything.
      stopped: stopped && used >= of,
    }
  })
}

/** Limits that hold for the requests inside of calls, what is spent under them, and what is expected of requests in flight. */
export interface RequestScope {
  limits: Budget
  spent: Used
  open: { requests: number; tokens: number; costUsd: number }
  /**
   * Of limits that other sessions share: up to where `spent`, which counts theirs too, may go at the moment. `isLast`: the others
   * have nothing left to use. Absent: nothing is shared.
   */
  part?: Partial<Record<LimitUse['limit'], { most: number; isLast: boolean }>>
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

/**
 * Returns whether a limit has room for what is expected of calls in flight and of the next one; undefined: that is not known. A call
 * alone may always go out, since nothing could make room for it; where others share the limit, if they have nothing left.
 */
export function fits(
  { limits, spent, part }: RequestScope,
  unit: LimitUse['limit'],
  expected: number | undefined,
  isAlone: boolean,
): boolean {
  const limit = limits[unit]
  if (limit === undefined) return true
  if (!part) return isAlone || (expected !== undefined && spent[unit] + expected <= limit)
  const { most, isLast } = part[unit] ?? { most: 0, isLast: false }
  if (expected !== undefined && roundedSum(spent[unit] + expected) <= most) return true
  return isAlone && (isLast || expected === undefined) && spent[unit] < most
}

/** Returns whether there is room for a request beside those in flight. `isCounted`: the calls in `spent` include this request. */
export function hasRoomFor(scope: RequestScope, expected: RequestUse, isCounted: boolean): boolean {
  const { open, part } = scope
  const isAlone = open.requests === 0
  return (
    fits(scope, 'tokens', open.tokens + expected.tokens, isAlone) &&
    fits(scope, 'costUsd', open.costUsd + (expected.costUsd ?? 0), isAlone) &&
    (!part || isCounted || fits(scope, 'calls', 1, false))
  )
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
  /** Resolves when the bell rings next. Who waits says for which method, and for which request inside of a call. */
  whenEnded(method?: string, request?: RequestUse): Promise<void>
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
