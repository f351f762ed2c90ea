import { byTask, type FigureSeries, taskMean } from './by-task.ts'
import type { FigureTrial } from './figure-trials.ts'

/** Tokens of each role of a method. */
export interface RoleTokens {
  label: string
  /** Tokens per trial, input and output, mean over tasks. Sorted by the sum over all methods, largest first. */
  roles: { role: string; tokens: number }[]
  total: number
  /** Calls with unreported tokens; they are left out. */
  unreported: number
}

/** Computes tokens by role for each method. */
export function roleTokens(series: readonly FigureSeries[]): RoleTokens[] {
  const all = series.map(ofSeries)
  const sums = new Map<string, number>()
  for (const { roles } of all)
    for (const { role, tokens } of roles) sums.set(role, (sums.get(role) ?? 0) + tokens)
  const rank = [...sums].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([role]) => role)
  return all.map((one) => ({
    ...one,
    roles: one.roles.toSorted((a, b) => rank.indexOf(a.role) - rank.indexOf(b.role)),
  }))
}

function ofSeries({ label, trials }: FigureSeries): RoleTokens {
  const tasks = byTask(trials)
  const asks = trials.flatMap((trial) => trial.asks)
  const names = [...new Set(asks.map(({ role }) => role))]
  const spent = (role: string) => (trial: FigureTrial) =>
    trial.asks.reduce((sum, ask) => sum + (ask.role === role ? (ask.input ?? 0) + (ask.output ?? 0) : 0), 0)
  const roles = names.map((role) => ({ role, tokens: taskMean(tasks, spent(role)).mean ?? 0 }))
  return {
    label,
    roles: roles.filter(({ tokens }) => tokens > 0),
    total: roles.reduce((sum, { tokens }) => sum + tokens, 0),
    unreported: asks.filter(({ input, output }) => input === null || output === null).length,
  }
}
