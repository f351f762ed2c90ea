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
  judges: readonly Agent[]
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
  if (isAllowed)
    return found.map(({ where, what, counted }) => `${where} ${what}; these calls are ${counted}`)
  problems.push(...found.map(({ counted: _, ...problem }) => problem))
  return []
}

/** A limit that cannot hold, and whether its calls are counted if the run goes on. */
type UnheldLimit = Problem & { counted: string }

async function limitProblems(limits: readonly CountedLimit[], run: LimitedRun): Promise<UnheldLimit[]> {
  const { prices, agentSettings = {} } = run
  const labels = run.methods.map(({ label }) => label)
  const asked = new Map(labels.map((label) => [label, agentsOf(label, run)]))
  const ofMethods = new Set([...asked.values()].flat().map(({ name }) => name))
  const all = new Map([...[...asked.values()].flat(), ...run.judges].map((agent) => [agent.name, agent]))
  const bills = await Promise.all(
    [...all.values()].map((agent) => knownBill(agent, prices, agentSettings[agent.name])),
  )
  return limits.flatMap(({ where, unit, method, countsJudges }): UnheldLimit[] => {
    const ofAll = countsJudges ? [...all.keys()] : [...ofMethods]
    const counts = method === undefined ? ofAll : (asked.get(method) ?? []).map(({ name }) => name)
    const uncounted = bills.filter(
      (bill) => counts.includes(bill.agent) && !(unit === 'costUsd' ? bill.mayCost : bill.mayCount),
    )
    if (uncounted.length === 0) return []
    return [{ where, ...problemOf(unit, uncounted), counted: countedText(unit, uncounted) }]
  })
}

/** Says whether calls are counted: any server may tell the cost of a reply, but tokens that a program's output lacks stay unknown. */
function countedText(unit: CountedLimit['unit'], bills: readonly KnownBill[]): string {
  const told = bills.filter(({ mayBeTold }) => unit === 'costUsd' && mayBeTold)
  if (told.length === 0) return 'not counted'
  const of = told.length === bills.length ? '' : `; those of ${namesOf(bills, told)} are not counted`
  return `counted only if the server tells their cost${of}`
}

const namesOf = (bills: readonly KnownBill[], without: readonly KnownBill[]) =>
  bills.flatMap((bill) => (without.includes(bill) ? [] : [bill.agent])).join(', ')

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
