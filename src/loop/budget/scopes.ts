import type { Budget, Budgets, LimitUse } from '../../schema/limits.ts'
import { nothingSpent, reachedLimit, type Spent } from './limits.ts'
import { newRequestScope, type RequestScope } from './requests.ts'
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
