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
