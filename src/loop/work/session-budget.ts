import { includesSimulated } from '../../agents/paid-or-simulated.ts'
import type { Budgets } from '../../schema/limits.ts'
import { addUsage, nothingSpent, type Spent } from '../budget/limits.ts'
import { type Admission, hasLimits, openAdmission } from '../budget/run-budget.ts'
import type { Journal } from '../journal/journal.ts'
import { ledger, stepName } from '../journal/ledger-index.ts'
import type { Plan } from '../plan/plan.ts'
import type { RunEvent } from '../state/events.ts'
import type { Session } from '../state/run-session.ts'

/** The admission of a session, where it has limits; it begins with what its folder says was spent, and tells as the run does. */
export function admissionOf(
  { folder, plan, asked, budgets }: Pick<Session, 'folder' | 'plan' | 'asked'> & { budgets: Budgets },
  journal: Journal,
  now: () => number,
  onEvent: (event: RunEvent) => void,
): Admission | undefined {
  if (!hasLimits(budgets)) return undefined
  return openAdmission(budgets, pastSpending(folder, plan), now, {
    onAlert(alert) {
      const key = ['alert', alert.method ?? 'run', alert.limit, alert.percent].join(' ')
      journal.event(null, key, { type: 'alert', ...alert, simulated: includesSimulated(asked) })
      onEvent({ type: 'alert', ...alert })
    },
    onUncounted: (limit, method) =>
      onEvent({
        type: 'warning',
        message:
          limit === 'costUsd'
            ? `a call of ${method} has no known price, so no limit in dollars counts it; limit tokens or calls, too`
            : `a call of ${method} did not report its tokens, so no limit of tokens counts it; limit calls, too`,
      }),
  })
}

/**
 * What a run folder says was spent so far, by method: every call and check in its ledger, those that were taken back or
 * lost included. A paid call that was cut off and is not in the ledger yet counts as a call of unknown price. Throws
 * `UserError` for a damaged line.
 */
function pastSpending(folder: string, plan: Plan): Map<string, Spent> {
  const methods = new Map<string, string>()
  for (const { id, cell } of plan) methods.set(id, cell.method.label)
  const spent = new Map<string, Spent>()
  const spentOn = (trial: string) => {
    const method = methods.get(trial) ?? ''
    const known = spent.get(method)
    if (known) return known
    const fresh = nothingSpent()
    spent.set(method, fresh)
    return fresh
  }
  const open = new Map<string, { trial: string; calls: number }>()
  for (const line of ledger(folder)) {
    const { trial, key, attempt } = line
    const name = `${trial} ${stepName(key, attempt)}`
    const intent = open.get(name)
    if (line.kind === 'intent') {
      if (intent) intent.calls++
      else open.set(name, { trial, calls: 1 })
      continue
    }
    const own = spentOn(trial)
    if (line.kind === 'check') own.timeMs += line.durationMs
    if (line.kind !== 'ask') continue
    own.calls++
    addUsage(own, line)
    if (intent) intent.calls--
  }
  for (const { trial, calls } of open.values()) {
    if (calls <= 0) continue
    const own = spentOn(trial)
    own.calls += calls
    own.unreportedTokens += calls
    own.unreportedCost += calls
  }
  return spent
}
