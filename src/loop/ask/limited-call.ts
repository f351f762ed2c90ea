import type { CallLimits } from '../../agents/agent.ts'
import type { StoppedBy } from '../../schema/ledger/program-use.ts'
import { isUnlimited } from '../budget/limits.ts'
import {
  closeRequest,
  createBell,
  hasRoomFor,
  limitOfRequest,
  newRequestScope,
  openRequest,
  type RequestScope,
} from '../budget/requests.ts'
import type { Scope } from '../budget/scopes.ts'
import { roundedSum } from '../budget/spending.ts'
import type { Branch } from '../state/branch.ts'
import { usedOf, usedSince } from '../state/trial-limits.ts'
import type { TrialState } from '../state/trial-state.ts'
import type { Attempt } from './agent-request.ts'

/** The limits that hold inside one call, what its requests have used, and the limit that refused one. */
export interface LimitedCall extends CallLimits {
  added: { tokens: number; costUsd: number }
  stoppedBy?: StoppedBy
}

/** A scope with its name. Those of the run are shared by calls, and count this call already. */
interface NamedScope {
  name: StoppedBy['scope']
  scope: RequestScope
  shared?: Scope
}

/**
 * Opens the limits of the ask, of its trial, of its method and of the run for the requests of a call; undefined if nothing is limited.
 * Like each limit of a trial, they see the bill of the branch alone; those of the method and of the run see all calls in flight.
 */
export function limitCall(trialState: TrialState, branch: Branch, call: Attempt): LimitedCall | undefined {
  const scopes = scopesOf(trialState, branch, call)
  if (scopes.every(({ scope }) => isUnlimited(scope.limits))) return undefined
  const { runBudget } = trialState.run
  const { label } = trialState.trial.cell.method
  const bell = runBudget ?? createBell()
  let requests = 0
  const isFirst = (scope: NamedScope) => scope.shared !== undefined && requests === 0
  const findLimit = (): StoppedBy | undefined => {
    for (const one of scopes) {
      const reached = limitOfRequest(one.scope, isFirst(one))
      if (!reached) continue
      if (one.shared) one.shared.stopped = true
      return { scope: one.name, ...reached }
    }
    return undefined
  }
  const limits: LimitedCall = {
    added: { tokens: 0, costUsd: 0 },
    async begin(expected, signal) {
      const aborted = new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
      const isFull = () => scopes.some(({ scope }) => !hasRoomFor(scope, expected))
      const findStop = () => {
        limits.stoppedBy ??= findLimit()
        return limits.stoppedBy
      }
      while (!signal.aborted && !findStop() && isFull()) await Promise.race([bell.whenEnded(), aborted])
      if (signal.aborted) return 'gone'
      const stop = findStop()
      if (stop) return { refused: `${stop.reason} (${stop.limit}, a limit of the ${stop.scope})` }
      for (const one of scopes) openRequest(one.scope, expected, isFirst(one))
      requests++
      return 'begun'
    },
    end(expected, used) {
      for (const { scope, shared } of scopes) if (!shared) closeRequest(scope, expected, used)
      limits.added.tokens += used.tokens
      limits.added.costUsd = roundedSum(limits.added.costUsd + (used.costUsd ?? 0))
      if (runBudget) runBudget.endRequest(label, expected, used)
      else bell.ring()
    },
  }
  return limits
}

function scopesOf({ trial, run }: TrialState, branch: Branch, call: Attempt): NamedScope[] {
  const { limits, method } = trial.cell
  const shared = run.runBudget?.requestScopes(method.label) ?? []
  return [
    { name: 'ask', scope: newRequestScope(call.options?.limits ?? {}, usedSince(branch, call)) },
    { name: 'trial', scope: newRequestScope(limits, usedOf(branch)) },
    ...shared.map((scope) => ({ name: scope.name.scope, scope, shared: scope })),
  ]
}

/** Whether a limit of the method or of the run ended a call. It changes no record: the ask is made again once they allow it. */
export const isStoppedByRun = (stoppedBy: StoppedBy | undefined) =>
  stoppedBy?.scope === 'run' || stoppedBy?.scope === 'method'

/** Returns what a step says of the limit that ended its call. The trial does not pay for a call that is made again. */
export const stopFields = (stoppedBy: StoppedBy | undefined) =>
  stoppedBy && { stoppedBy, ...(isStoppedByRun(stoppedBy) && { payer: 'void' as const }) }
