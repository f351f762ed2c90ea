import { dollarMark } from '../../analysis/evidence.ts'
import type { Budgets, BudgetUnit, Limits, LimitUse } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { counted, formatCount, formatMs, formatUsd, present } from './numbers.ts'

const amountTexts: Record<keyof Limits, (amount: number) => string> = {
  checks: (amount) => counted(amount, 'check'),
  calls: (amount) => counted(amount, 'call'),
  tokens: (amount) => counted(amount, 'token'),
  costUsd: (amount) => formatUsd(amount),
  timeMs: formatMs,
}

/** Returns `20 calls`, or `$1.00` with the mark of dollars that nobody pays. */
export const amountText = (unit: keyof Limits, amount: number, mark: string) =>
  amountTexts[unit](amount) + (unit === 'costUsd' ? mark : '')

/** Returns `5 of 20 calls`, `$0.81 of $1.00`. */
function usedText(unit: BudgetUnit, used: number, of: number, mark: string): string {
  const counts = unit === 'calls' || unit === 'tokens'
  return `${counts ? formatCount(used) : amountTexts[unit](used)} of ${amountText(unit, of, mark)}`
}

const ofWhat = ({ scope, method }: { scope: LimitUse['scope']; method?: string | undefined }) =>
  scope === 'run' ? 'the run' : `method ${method}`

/** Returns `limit of the run: $0.0512 of $0.0500 used; $0.00120 over; it stopped the run`; `mark` follows the dollars: see `dollarMark`. */
export function limitText(use: LimitUse, mark: string): string {
  const { limit, of, used, over, unreported, stopped } = use
  const least = unreported > 0 ? 'at least ' : ''
  const missing = limit === 'costUsd' ? 'of unknown price' : 'of unknown tokens'
  return present([
    `limit of ${ofWhat(use)}: ${least}${usedText(limit, used, of, mark)} used`,
    over > 0 && `${amountTexts[limit](over)} over`,
    unreported > 0 && `not counting ${counted(unreported, 'call')} ${missing}`,
    stopped && `it stopped ${ofWhat(use)}`,
  ]).join('; ')
}

/** Returns `80 percent of a limit of the run used: $0.81 of $1.00`. */
export function alertText(
  alert: Pick<LimitUse, 'scope' | 'method' | 'limit' | 'used' | 'of'> & { percent: number },
  mark: string,
): string {
  return `${alert.percent} percent of a limit of ${ofWhat(alert)} used: ${usedText(alert.limit, alert.used, alert.of, mark)}`
}

/** Returns the limits of a run and of its methods: `run $1.00, 500 calls; method sequential 10,000 tokens`; empty without limits. */
export function budgetsText({ run, methods }: Budgets, mark: string): string {
  return present([
    Object.keys(run).length > 0 && `run ${list(run, mark)}`,
    ...Object.entries(methods).map(([method, limits]) => `method ${method} ${list(limits, mark)}`),
  ]).join('; ')
}

/** Returns all limits of a run: `each trial 60 calls; run $1.00`; empty without limits. */
export function limitsText(
  manifest: Pick<RunManifest, 'limits' | 'askLimits' | 'budgets' | 'methods' | 'mode' | 'simulated'>,
): string {
  const { limits, askLimits = {}, budgets, methods } = manifest
  const mark = dollarMark(manifest)
  const of = (what: string, amounts: Limits) =>
    Object.keys(amounts).length > 0 ? [`${what} ${list(amounts, mark)}`] : []
  return present([
    ...of('each trial', limits),
    ...methods.flatMap((method) => of(`each trial of ${method.label}`, method.limits ?? {})),
    ...of('each ask', askLimits),
    budgets && budgetsText(budgets, mark),
  ])
    .filter((text) => text !== '')
    .join('; ')
}

const list = (limits: Limits, mark: string) =>
  (Object.entries(limits) as [keyof Limits, number][])
    .map(([unit, amount]) => amountText(unit, amount, mark))
    .join(', ')
