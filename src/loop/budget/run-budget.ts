import type { RequestUse } from '../../agents/agent.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { Budgets, LimitUse } from '../../schema/limits.ts'
import { type OwnShare, openClaims } from './budget-share.ts'
import { type Alert, addUsage, isUnlimited, newAlerts, reachedLimit, type Spent } from './limits.ts'
import { createReservations } from './reservations.ts'
import {
  type Bell,
  closeRequest,
  createBell,
  fits,
  limitUsesOf,
  openScopes,
  type Scope,
  type Scopes,
} from './scopes.ts'
import { countedUse, roundedSum } from './spending.ts'

/** The limits of a run and of its methods. It refuses new calls when a limit is reached; calls in flight still end. */
export interface RunBudget extends Bell {
  /** Returns whether a trial of this method may still ask. A refusal marks the limit as one that stopped work. */
  mayAsk(method: string): boolean
  /** Returns whether a trial of this method may still run checks, which use time but no tokens. */
  mayCheck(method: string): boolean
  /** Counts a call that begins. Returns false if the limits forbid it. */
  beginCall(method: string): boolean
  /**
   * Waits until the limits in dollars and tokens have room for a call beside the expected use of the calls in flight, then
   * counts it. Until a first call has ended, its use is unknown, and calls go out one by one. Returns false if the limits
   * forbid the call or the signal aborts.
   */
  reserveCall(method: string, signal: AbortSignal): Promise<boolean>
  /** Marks the reached limits of the run as those that stopped it. */
  markStopped(): void
  /** Duration of the longest call of this session; ms. */
  longestCallMs(): number
  /** The limits of the run and of a method, for the requests inside of their calls. */
  requestScopes(method: string): readonly Scope[]
  /** Adds the use of a request inside of a call of the method, which is over. */
  endRequest(method: string, expected: RequestUse, used: RequestUse): void
  /**
   * Adds the use of a call that ended, less what its requests have added; undefined: the call was cut off and the rest of its use is
   * unknown.
   */
  endCall(method: string, step: AskStep | undefined, added?: { tokens: number; costUsd: number }): void
  /** Takes a call out of those in flight, whose agent waits for another, or puts it back. */
  setAside(method: string, isAside: boolean): void
  /** Adds the time of a check, or of a call of a tool. */
  addTime(method: string, durationMs: number): void
  /** Says to those who share the limits what is used, and gives back what no call in flight needs. */
  settle(): Promise<void>
  /** Resolves when no call is in flight, calls of abandoned trials included. */
  whenIdle(): Promise<void>
  limitUses(): LimitUse[]
}

/** A part of a limit of the run or of a method, in percent, is used. */
export type BudgetAlert = Alert<LimitUse['limit']> & Pick<LimitUse, 'scope' | 'method'>

/** A call whose use a limit could not count. */
export interface UncountedCall {
  limit: 'tokens' | 'costUsd'
  method: string
  /** Undefined for a call that was cut off. */
  agent: string | undefined
  /** The call got a reply, so later calls of its agent will not be counted either. */
  answered: boolean
}

/** Events of a run budget: 50, 80 or 95 percent of a limit are used, and a call has no use that a limit could count. */
export interface RunBudgetEvents {
  onAlert(alert: BudgetAlert): void
  /** Called for the first call of each limit, and for its first answered one. True: the limit cannot hold, so nothing more may be asked. */
  onUncounted(call: UncountedCall): boolean
}

/**
 * Opens the budget of a run. `earlier` is the use recorded in the run folder, by method; `now` returns the real time of all
 * sessions so far in ms. `elsewhere` names the units that trials or asks limit: calls that they could not count are told, too.
 */
export function openRunBudget(
  budgets: Budgets,
  earlier: ReadonlyMap<string, Spent>,
  now: () => number,
  events: RunBudgetEvents,
  elsewhere: ReadonlySet<UncountedCall['limit']> = new Set(),
  shared?: OwnShare,
): RunBudget {
  const scopes = openScopes(budgets, earlier, now)
  const { run } = scopes
  const mayAsk = (method: string) => !alerts.isUnheld() && scopes.mayAsk(method)
  const alerts = createAlerts(scopes, events, elsewhere)
  const reserved = createReservations(earlier, shared?.share.memory)
  const bell = createBell()
  const claims = shared && openClaims(scopes.all, shared, reserved, bell)

  const beginCall = (method: string) => {
    if (!mayAsk(method)) return false
    reserved.begin(method)
    for (const { spent } of scopes.of(method)) spent.calls++
    return true
  }
  const hasRoom = (method: string) =>
    !claims?.isOpen() &&
    scopes.of(method).every((scope) => {
      const { method: of } = scope.name
      const isAlone = reserved.inFlight(of) === 0
      return (
        fits(scope, 'costUsd', reserved.expected('costUsd', method, of), isAlone) &&
        fits(scope, 'tokens', reserved.expected('tokens', method, of), isAlone) &&
        // What nobody shares, `mayAsk` has looked at.
        (!claims || (fits(scope, 'calls', 1, false) && (of === undefined || fits(scope, 'timeMs', 1, false))))
      )
    })
  const whenEnded: Bell['whenEnded'] = (method, request) => {
    if (method !== undefined) claims?.want(method, request)
    return bell.whenEnded()
  }

  return {
    ...{ whenEnded, ring: bell.ring },
    mayAsk,
    mayCheck: scopes.mayCheck,
    beginCall,
    async reserveCall(method, signal) {
      if (!mayAsk(method) || hasRoom(method)) return beginCall(method)
      let stop = () => {}
      const stopped = new Promise<void>((resolve) => {
        stop = resolve
      })
      signal.addEventListener('abort', stop, { once: true })
      while (!signal.aborted && mayAsk(method) && !hasRoom(method))
        await Promise.race([whenEnded(method), stopped])
      signal.removeEventListener('abort', stop)
      return !signal.aborted && beginCall(method)
    },
    markStopped() {
      scopes.readClock()
      run.stopped ||= reachedLimit(run.limits, run.spent, 'ask') !== undefined
    },
    longestCallMs: reserved.longestCallMs,
    requestScopes: scopes.of,
    endRequest(method, expected, used) {
      for (const scope of scopes.of(method)) closeRequest(scope, expected, used)
      reserved.pass(method, { tokens: used.tokens, costUsd: used.costUsd ?? 0 })
      alerts.report(scopes.of(method))
      bell.ring()
    },
    endCall(method, step, added = { tokens: 0, costUsd: 0 }) {
      for (const { spent } of scopes.of(method)) addStep(spent, step, added)
      alerts.callEnded(method, step)
      reserved.pass(method, { tokens: -added.tokens, costUsd: -added.costUsd })
      const isFirst = reserved.average('tokens', method) === undefined
      reserved.end(method, step)
      // All others wait to know what a call uses.
      if (isFirst && shared) claims?.settle().catch(shared.onFailure)
      bell.ring()
    },
    setAside(method, isAside) {
      reserved.setAside(method, isAside)
      if (isAside) bell.ring()
    },
    addTime(method, durationMs) {
      const own = scopes.methods.get(method)
      if (!own) return
      own.spent.timeMs += durationMs
      alerts.report([own])
    },
    settle: async () => {
      if (!claims) return
      await claims.settle()
      alerts.passSilently()
    },
    async whenIdle() {
      while (reserved.inFlight() > 0) await bell.whenEnded()
    },
    limitUses() {
      scopes.readClock()
      return scopes.all.flatMap(limitUsesOf)
    },
  }
}

/** Reports levels of use, and once for each limit that it cannot count a call. */
function createAlerts(
  scopes: Scopes,
  events: RunBudgetEvents,
  elsewhere: ReadonlySet<UncountedCall['limit']>,
) {
  /** Earlier sessions, and others, have reported the levels that were passed before this one. */
  const passSilently = () => {
    for (const { limits, spent, reported } of scopes.all) newAlerts(limits, spent, reported)
  }
  passSilently()
  const uncounted = new Set<string>()
  const report = (some: readonly Scope[]) => {
    scopes.readClock()
    for (const { name, limits, spent, reported } of some)
      for (const one of newAlerts<LimitUse['limit']>(limits, spent, reported))
        events.onAlert({ ...name, ...one })
  }
  let unheld = false
  const reportUncounted = (method: string, limit: 'tokens' | 'costUsd', step: AskStep | undefined) => {
    const isLimited =
      elsewhere.has(limit) || scopes.of(method).some(({ limits }) => limits[limit] !== undefined)
    if (!isLimited) return
    const answered = step !== undefined && !step.error
    const kind = `${limit} ${answered}`
    if (uncounted.has(kind)) return
    uncounted.add(kind)
    unheld ||= events.onUncounted({ limit, method, agent: step?.agent, answered })
  }
  return {
    ...{ report, passSilently },
    isUnheld: () => unheld,
    callEnded(method: string, step: AskStep | undefined) {
      const counted = step && countedUse(step)
      if (!counted || counted.costUsd === null) reportUncounted(method, 'costUsd', step)
      if (!counted?.isTokensKnown) reportUncounted(method, 'tokens', step)
      report(scopes.of(method))
    },
  }
}

function addStep(spent: Spent, step: AskStep | undefined, added: { tokens: number; costUsd: number }): void {
  if (step) {
    addUsage(spent, step)
    spent.tokens -= added.tokens
    spent.costUsd = roundedSum(spent.costUsd - added.costUsd)
  } else {
    spent.unreportedTokens++
    spent.unreportedCost++
  }
}

/** No limits. */
export const noBudgets: Budgets = { run: {}, methods: {} }

/** Returns whether there is any limit. */
export function hasLimits({ run, methods }: Budgets): boolean {
  return !isUnlimited(run) || Object.values(methods).some((limits) => !isUnlimited(limits))
}
