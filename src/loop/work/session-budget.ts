import { includesSimulated } from '../../agents/paid-or-simulated.ts'
import { valueAt } from '../../base/grouping.ts'
import { longestTimer } from '../../base/longest-timer.ts'
import type { Budgets } from '../../schema/limits.ts'
import type { RunEvent, Session } from '../branch/run-session.ts'
import type { OwnShare } from '../budget/budget-share.ts'
import { addUsage, nothingSpent, type Spent } from '../budget/limits.ts'
import {
  hasLimits,
  openRunBudget,
  type RunBudget,
  type RunBudgetEvents,
  type UncountedCall,
} from '../budget/run-budget.ts'
import { countedUse } from '../budget/spending.ts'
import type { Journal } from '../journal/journal.ts'
import { readLedger, stepName } from '../journal/ledger-index.ts'
import { isJudgeKey } from '../judge/ask-judges.ts'
import type { Plan } from '../plan/plan.ts'

/**
 * Opens the budget of a session, starting with what the folder's ledger shows as spent; undefined when there are no limits. A limit
 * that cannot count an answered call cannot hold: `onUnheld` gets the reason, and nothing more may be asked, unless the user allows that.
 */
export function openSessionBudget(
  {
    folder,
    plan,
    uniqueAgents,
    budgets,
    allowUnpriced,
    budgetShare,
  }: Pick<Session, 'folder' | 'plan' | 'uniqueAgents' | 'allowUnpriced' | 'budgetShare'> & {
    budgets: Budgets
  },
  journal: Journal,
  now: () => number,
  onEvent: (event: RunEvent) => void,
  onUnheld: (reason: string) => void,
  own: Omit<OwnShare, 'share'>,
): RunBudget | undefined {
  // In dev mode nothing is paid, and every simulated call is counted.
  const ofTrials = allowUnpriced === undefined ? new Set<Unit>() : unitsOfTrials(plan)
  if (!hasLimits(budgets) && ofTrials.size === 0) return undefined
  const warned = new Set<string>()
  const events: RunBudgetEvents = {
    onAlert(alert) {
      const key = ['alert', alert.method ?? 'run', alert.limit, alert.percent].join(' ')
      journal.event(null, key, { type: 'alert', ...alert, simulated: includesSimulated(uniqueAgents) })
      onEvent({ type: 'alert', ...alert })
    },
    onUncounted(call) {
      const isStop = call.answered && allowUnpriced === false
      if (isStop) onUnheld(unheldReason(call))
      else if (!warned.has(call.limit)) onEvent({ type: 'warning', message: uncountedText(call) })
      warned.add(call.limit)
      return isStop
    },
  }
  const shared = budgetShare && { share: budgetShare, ...own }
  return openRunBudget(budgets, readPastSpending(folder, plan), now, events, ofTrials, shared)
}

type Unit = UncountedCall['limit']

function unitsOfTrials(plan: Plan): ReadonlySet<Unit> {
  const units = new Set<Unit>()
  for (const { cell } of plan)
    for (const unit of ['costUsd', 'tokens'] as const)
      if ((cell.limits[unit] ?? cell.askLimits?.[unit]) !== undefined) units.add(unit)
  return units
}

const uncountedText = ({ limit, method }: UncountedCall) =>
  limit === 'costUsd'
    ? `a call of ${method} has no known price, so limits in dollars do not count it; limit tokens or calls as well`
    : `a call of ${method} did not report its tokens, so token limits do not count it; limit calls as well`

const unheldReason = ({ limit, agent }: UncountedCall) =>
  limit === 'costUsd'
    ? `the cost of a reply of ${agent} is unknown, so a limit in dollars cannot hold`
    : `a reply of ${agent} came without its tokens, so a limit in tokens cannot hold`

/**
 * Reads what a run folder has spent so far, by method: every call and check in its ledger, including void and lost ones. A
 * paid call that was cut off and has no step yet counts as a call of unknown price. Throws `UserError` for a damaged line.
 */
export function readPastSpending(folder: string, plan: Plan): Map<string, Spent> {
  const methods = new Map<string, string>()
  for (const { id, cell } of plan) methods.set(id, cell.method.label)
  const spent = new Map<string, Spent>()
  // What judges cost counts for the run, and for no method.
  const spentOn = (trial: string, key: string) => {
    const method = isJudgeKey(key) ? '' : (methods.get(trial) ?? '')
    return valueAt(spent, method, nothingSpent)
  }
  const open = new Map<string, { trial: string; key: string; calls: number }>()
  for (const line of readLedger(folder)) {
    const { trial, key, attempt } = line
    const name = `${trial} ${stepName(key, attempt)}`
    const intent = open.get(name)
    if (line.kind === 'intent') {
      if (intent) intent.calls++
      else open.set(name, { trial, key, calls: 1 })
      continue
    }
    const own = spentOn(trial, key)
    if (line.kind === 'check' || line.kind === 'run' || line.kind === 'tool') own.timeMs += line.durationMs
    if (line.kind !== 'ask') continue
    own.calls += countedUse(line).calls
    addUsage(own, line)
    if (intent) intent.calls--
  }
  for (const { trial, key, calls } of open.values()) {
    if (calls <= 0) continue
    const own = spentOn(trial, key)
    own.calls += calls
    own.unreportedTokens += calls
    own.unreportedCost += calls
  }
  return spent
}

/** Least time that calls in flight get after the run's time limit; ms. */
const minGraceMs = 10_000

/**
 * Calls `cut` when calls in flight exceed the run's time limit by twice the duration of the longest call so far, at least 10 s, and
 * marks the budget as stopped. `now` returns the real time of all sessions in ms. Returns a function that ends the watch.
 */
export function cutHangingCalls(
  timeMs: number | undefined,
  now: () => number,
  runBudget: Pick<RunBudget, 'longestCallMs' | 'markStopped'> | undefined,
  cut: () => void,
): () => void {
  if (timeMs === undefined || !runBudget) return () => {}
  let timer: NodeJS.Timeout
  const watch = () => {
    const left = timeMs + Math.max(minGraceMs, 2 * runBudget.longestCallMs()) - now()
    if (left <= 0) {
      runBudget.markStopped()
      return cut()
    }
    timer = setTimeout(watch, Math.min(left, longestTimer))
    // The timer must not keep a process alive whose run has ended.
    timer.unref()
  }
  watch()
  return () => clearTimeout(timer)
}
