import { dollarMark } from '../../analysis/evidence.ts'
import { noBudgets } from '../../loop/budget/run-budget.ts'
import { formatCount, formatUsd } from '../../reports/words/numbers.ts'
import { safeLine } from '../../reports/words/safe-text.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { Budget } from '../../schema/limits.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { flagOf } from '../../schema/settings/settings.ts'
import { runLimitOptions } from '../config/budget-options.ts'
import type { RunOptions } from '../config/run-options.ts'
import { highestCost, highestSum, judgesName, type MethodEstimate } from './estimate.ts'

/**
 * Returns the most that a run can cost in US dollars: its estimate, but no more than its limits and those of its methods. Undefined if
 * unknown. Limits that may be unable to count some calls are left out.
 */
export function mostCost(methods: readonly MethodEstimate[], manifest: RunManifest): number | undefined {
  const { budgets = noBudgets, allowUnpriced } = manifest
  if (allowUnpriced && methods.some(({ lacking }) => lacking > 0)) return highestCost(methods)
  const ofMethods = manifest.methods.map(({ label }) =>
    lower(highestCost(rowsOf(label, methods, manifest)), budgets.methods[label]?.costUsd),
  )
  const ofJudges = highestCost(methods.filter(({ method }) => method === judgesName))
  const all = [...ofMethods, ofJudges].reduce<number | undefined>(
    (sum, cost) => (sum === undefined || cost === undefined ? undefined : sum + cost),
    0,
  )
  return lower(all, budgets.run.costUsd)
}

function rowsOf(label: string, methods: readonly MethodEstimate[], manifest: RunManifest): MethodEstimate[] {
  const names = agentSetsOf(manifest).map((set) => rowName(label, set.label))
  return methods.filter(({ method }) => names.includes(method))
}

function lower(one: number | undefined, other: number | undefined): number | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return Math.min(one, other)
}

/** Tokens of some calls that are unknown have no upper limit. */
const knownUse = (row: MethodEstimate, unit: 'tokens' | 'calls') =>
  unit === 'tokens' && row.lackingTokens > 0 ? null : row[unit]

/** Describes the limits that may stop the run, or a method of it, before its estimate is used; empty without such limits. */
export function limitNotes(
  methods: readonly MethodEstimate[],
  manifest: RunManifest,
  options: RunOptions,
): string[] {
  const { budgets = noBudgets } = manifest
  const below = (limits: Budget, rows: readonly MethodEstimate[]) =>
    runLimitOptions.flatMap(({ unit, option }) => {
      if (unit === 'timeMs') return []
      const limit = limits[unit]
      const high = unit === 'costUsd' ? highestCost(rows) : highestSum(rows.map((row) => knownUse(row, unit)))
      if (limit === undefined || (high !== undefined && high <= limit)) return []
      const at =
        unit === 'costUsd' ? formatUsd(limit) + dollarMark(manifest) : `${formatCount(limit)} ${unit}`
      return [{ at, flag: options[option] === undefined ? 'limits.run' : flagOf(option) }]
    })
  const run = below(budgets.run, methods).map(({ at, flag }) => `the run stops at ${at} (${flag})`)
  const ofMethods = Object.entries(budgets.methods).flatMap(([label, limits]) =>
    below(limits, rowsOf(label, methods, manifest)).map(
      ({ at }) => `${safeLine(label)} stops at ${at} (limit of the method)`,
    ),
  )
  return [...run, ...ofMethods]
}
