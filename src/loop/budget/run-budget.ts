import type { AskStep } from '../../schema/ledger/step.ts'
import type { Budget, Budgets, LimitUse } from '../../schema/limits.ts'
import {
  type Alert,
  addUsage,
  isUnlimited,
  newAlerts,
  nothingSpent,
  reachedLimit,
  type Spent,
} from './limits.ts'
import { createReservations } from './reservations.ts'
import { roundedSum } from './spending.ts'

/** Lets asks go out as long as the limits of the run and of their method allow; what is in flight then still ends. */
export interface Admission {
  /** Whether a trial of this method may still ask. A no is remembered: the limit has stopped something. */
  isOpen(method: string): boolean
  /** Whether it may still run checks: they use no tokens, but time. */
  mayCheck(method: string): boolean
  /** Counts a call that goes out; false when it may not. */
  begin(method: string): boolean
  /**
   * The same, when the limits in dollars and tokens have room for it beside what the calls in flight will probably use: until
   * then it waits for these. While no call has ended, nobody knows what one uses, and they go out one by one. False also
   * when the signal ends the wait.
   */
  enter(method: string, signal: AbortSignal): Promise<boolean>
  /** Remembers that limits of the run have stopped it, though nobody asks any more. */
  stopRun(): void
  /** How long the longest call of this session took; ms. */
  longestMs(): number
  /** Adds what the call used; undefined: it was cut off, and nobody knows. */
  end(method: string, step: AskStep | undefined): void
  /** Adds the time of a check. */
  checked(method: string, durationMs: number): void
  /** Resolves when no call is in flight, also none of a trial that was given up. */
  idle(): Promise<void>
  /** Every limit, and how much of it is used. */
  uses(): LimitUse[]
}

/** So many percent of a limit of the run or of a method are used. */
export type BudgetAlert = Alert<LimitUse['limit']> & Pick<LimitUse, 'scope' | 'method'>

/** Whom admission tells: levels of 50, 80 and 95 percent, and calls that a limit cannot count. */
export interface AdmissionEvents {
  onAlert(alert: BudgetAlert): void
  onUncounted(limit: 'tokens' | 'costUsd', method: string): void
}

interface Scope {
  name: Pick<LimitUse, 'scope' | 'method'>
  limits: Budget
  spent: Spent
  told: Set<string>
  stopped: boolean
}

/**
 * Admission under the limits of a run. `past` is what the run folder holds already, by method; `now` the real time that
 * the run's sessions took so far, ms.
 */
export function openAdmission(
  budgets: Budgets,
  past: ReadonlyMap<string, Spent>,
  now: () => number,
  events: AdmissionEvents,
): Admission {
  const scopes = openScopes(budgets, past, now)
  const { run, isOpen } = scopes
  const tell = createTelling(scopes, events)
  const reserved = createReservations(past)
  let onEnd = deferred()

  const begin = (method: string) => {
    if (!isOpen(method)) return false
    reserved.begin(method)
    for (const { spent } of scopes.of(method)) spent.calls++
    return true
  }
  const hasRoom = (method: string) =>
    scopes.of(method).every(({ name, limits, spent }) =>
      (['costUsd', 'tokens'] as const).every((unit) => {
        const limit = limits[unit]
        // One alone may always go out: nothing would ever make room for it.
        if (limit === undefined || reserved.inFlight(name.method) === 0) return true
        const expected = reserved.expected(unit, method, name.method)
        return expected !== undefined && spent[unit] + expected <= limit
      }),
    )

  return {
    isOpen,
    mayCheck: scopes.mayCheck,
    begin,
    async enter(method, signal) {
      if (!isOpen(method) || hasRoom(method)) return begin(method)
      const { promise: stopped, resolve } = deferred()
      signal.addEventListener('abort', resolve, { once: true })
      while (!signal.aborted && isOpen(method) && !hasRoom(method))
        await Promise.race([onEnd.promise, stopped])
      signal.removeEventListener('abort', resolve)
      return !signal.aborted && begin(method)
    },
    stopRun() {
      scopes.readClock()
      run.stopped ||= reachedLimit(run.limits, run.spent, 'ask') !== undefined
    },
    longestMs: reserved.longestMs,
    end(method, step) {
      for (const { spent } of scopes.of(method)) addStep(spent, step)
      tell.ended(method, step)
      reserved.end(method, step)
      const { resolve } = onEnd
      onEnd = deferred()
      resolve()
    },
    checked(method, durationMs) {
      const own = scopes.methods.get(method)
      if (!own) return
      own.spent.timeMs += durationMs
      tell.alerts([own])
    },
    async idle() {
      while (reserved.inFlight() > 0) await onEnd.promise
    },
    uses() {
      scopes.readClock()
      return scopes.all.flatMap(usesOf)
    },
  }
}

type Scopes = ReturnType<typeof openScopes>

/** The limits of the run and of its methods, each with what is spent under it. */
function openScopes(budgets: Budgets, past: ReadonlyMap<string, Spent>, now: () => number) {
  const run = scopeOf({ scope: 'run' }, budgets.run, [...past.values()].reduce(sum, nothingSpent()))
  const methods = new Map(
    Object.entries(budgets.methods).map(([method, limits]) => [
      method,
      scopeOf({ scope: 'method', method }, limits, past.get(method) ?? nothingSpent()),
    ]),
  )
  const readClock = () => {
    run.spent.timeMs = now()
  }
  const of = (method: string) => {
    const own = methods.get(method)
    return own ? [run, own] : [run]
  }
  /** Whether no limit of a method is reached; one that is has stopped something. */
  const areOpen = (method: string, isReached: (scope: Scope) => boolean) => {
    readClock()
    const closed = of(method).filter(isReached)
    for (const scope of closed) scope.stopped = true
    return closed.length === 0
  }
  readClock()
  return {
    ...{ run, methods, all: [run, ...methods.values()], readClock, of },
    isOpen: (method: string) =>
      areOpen(method, ({ limits, spent }) => reachedLimit(limits, spent, 'ask') !== undefined),
    mayCheck: (method: string) =>
      areOpen(method, ({ limits, spent }) => spent.timeMs >= (limits.timeMs ?? Infinity)),
  }
}

/** Tells how much of each limit is used, and once of each limit that it cannot count a call. */
function createTelling(scopes: Scopes, events: AdmissionEvents) {
  // What an earlier session has told is not told again.
  for (const { limits, spent, told } of scopes.all) newAlerts(limits, spent, told)
  const told = new Set<string>()
  const alerts = (some: readonly Scope[]) => {
    scopes.readClock()
    for (const { name, limits, spent, told } of some)
      for (const one of newAlerts<LimitUse['limit']>(limits, spent, told)) events.onAlert({ ...name, ...one })
  }
  const uncounted = (method: string, limit: 'tokens' | 'costUsd') => {
    if (told.has(limit) || scopes.of(method).every(({ limits }) => limits[limit] === undefined)) return
    told.add(limit)
    events.onUncounted(limit, method)
  }
  return {
    alerts,
    ended(method: string, step: AskStep | undefined) {
      if (!step || step.costUsd === null) uncounted(method, 'costUsd')
      if (!step || step.tokens.input === null || step.tokens.output === null) uncounted(method, 'tokens')
      alerts(scopes.of(method))
    },
  }
}

function addStep(spent: Spent, step: AskStep | undefined): void {
  if (step) addUsage(spent, step)
  else {
    spent.unreportedTokens++
    spent.unreportedCost++
  }
}

/** No limits. */
export const noBudgets: Budgets = { run: {}, methods: {} }

/** Whether there is any limit that needs an admission. */
export function hasLimits({ run, methods }: Budgets): boolean {
  return !isUnlimited(run) || Object.values(methods).some((limits) => !isUnlimited(limits))
}

function deferred(): { promise: Promise<void>; resolve(): void } {
  let resolve = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

function scopeOf(name: Scope['name'], limits: Budget, spent: Spent): Scope {
  return { name, limits, spent: { ...spent }, told: new Set(), stopped: false }
}

function sum(total: Spent, more: Spent): Spent {
  for (const field of Object.keys(total) as (keyof Spent)[]) total[field] += more[field]
  total.costUsd = roundedSum(total.costUsd)
  return total
}

function usesOf({ name, limits, spent, stopped }: Scope): LimitUse[] {
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
      // Only what is reached has stopped anything.
      stopped: stopped && used >= of,
    }
  })
}
