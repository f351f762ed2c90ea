import { ledger, stepName } from './journal-index.ts'
import { addUsage, nothingSpent, type Spent } from './limits.ts'
import type { Plan } from './plan.ts'

/**
 * What a run folder says was spent so far, by method: every call and check in its ledger, those that were taken back or
 * lost included. A paid call that was cut off and is not in the ledger yet counts as a call of unknown price. Throws
 * `UserError` for a damaged line.
 */
export function pastSpending(folder: string, plan: Plan): Map<string, Spent> {
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
