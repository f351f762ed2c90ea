import type { Agent } from '../../agents/agent.ts'
import type { RowAgents } from '../../loop/plan/row-agents.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Problem } from '../../text/errors.ts'
import type { CountedLimit } from '../config/counted-limits.ts'
import { type KnownBill, knownBill } from './known-bill.ts'

/** The run whose limits are checked. */
interface LimitedRun extends Pick<RunManifest, 'methods' | 'agents' | 'agentSets' | 'agentSettings'> {
  rows: RowAgents
  /** The user's prices, by names in records. */
  prices: PriceFile | undefined
}

/**
 * Finds the limits that cannot hold, since an agent that they count has no price, or reports no tokens. Adds a problem for each or, if
 * the user allows them, returns warnings.
 */
export async function unpricedLimits(
  limits: readonly CountedLimit[],
  run: LimitedRun,
  isAllowed: boolean | undefined,
  problems: Problem[],
): Promise<string[]> {
  if (limits.length === 0) return []
  const found = await limitProblems(limits, run)
  if (isAllowed) return found.map(({ where, what }) => `${where} ${what}; these calls are not counted`)
  problems.push(...found)
  return []
}

async function limitProblems(limits: readonly CountedLimit[], run: LimitedRun): Promise<Problem[]> {
  const { prices, agentSettings = {} } = run
  const labels = run.methods.map(({ label }) => label)
  const asked = new Map(labels.map((label) => [label, agentsOf(label, run)]))
  const all = new Map([...asked.values()].flat().map((agent) => [agent.name, agent]))
  const bills = await Promise.all(
    [...all.values()].map((agent) => knownBill(agent, prices, agentSettings[agent.name])),
  )
  return limits.flatMap(({ where, unit, method }): Problem[] => {
    const counts = method === undefined ? [...all.keys()] : (asked.get(method) ?? []).map(({ name }) => name)
    const uncounted = bills.filter(
      (bill) => counts.includes(bill.agent) && !(unit === 'costUsd' ? bill.mayCost : bill.mayCount),
    )
    return uncounted.length === 0 ? [] : [{ where, ...problemOf(unit, uncounted) }]
  })
}

function agentsOf(label: string, run: LimitedRun): Agent[] {
  return agentSetsOf(run).flatMap((set) => Object.values(run.rows.get(rowName(label, set.label)) ?? {}))
}

function problemOf(unit: CountedLimit['unit'], bills: readonly KnownBill[]): Omit<Problem, 'where'> {
  const names = bills.map(({ agent }) => agent).join(', ')
  const accept = 'or add --allow-unpriced to run without counting these calls.'
  if (unit === 'costUsd' && bills.some(({ mayCount }) => mayCount)) {
    const what = `cannot hold, since the price of ${names} is unknown`
    return {
      what,
      fix: `Give a price (prices in bench.config.yaml, or --prices FILE), limit calls instead, ${accept}`,
    }
  }
  const what = `cannot hold, since ${names} reports no ${unit === 'costUsd' ? 'tokens and no cost' : 'tokens'}`
  return { what, fix: `Name the paths of its counts in agents.NAME.program, limit calls instead, ${accept}` }
}
