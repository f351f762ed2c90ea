import { type Agent, withoutLabel } from '../../agents/agent.ts'
import { pricedModel, vendorOf } from '../../agents/context-window.ts'
import { addBills, type CallBill, findPrice, loadPriceBook } from '../../agents/price-book.ts'
import { agentReach } from '../../agents/registry.ts'
import { billerAt } from '../../agents/vendor.ts'
import type { RowAgents } from '../../loop/plan/row-agents.ts'
import { agentSetsOf, rowName } from '../../schema/agent/agent-set.ts'
import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { AskStep } from '../../schema/ledger/step.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { Problem } from '../../text/errors.ts'
import type { CountedLimit } from '../config/counted-limits.ts'

/** What bench knows of an agent's bill before it asks the agent. */
interface KnownBill {
  agent: string
  /** Its calls have a price: the user's, or a list price. */
  isPriced: boolean
  /** Its calls may have a known cost: they have a price, or the agent may report its cost. */
  mayCost: boolean
  /** A server answers its calls, which may tell the cost in a reply; bench cannot know before. */
  mayBeTold: boolean
  /** Its calls may report their tokens. */
  mayCount: boolean
}

type Asked = Pick<Agent, 'name' | 'endpoint'>

/** Returns what is known of an agent's bill. `prices` holds the user's prices by names in records. */
export async function knownBill(
  { name, endpoint }: Asked,
  prices: PriceFile | undefined,
  setting: AgentSetting = {},
): Promise<KnownBill> {
  if (!hasPrices(name))
    return { agent: name, isPriced: true, mayCost: true, mayBeTold: false, mayCount: true }
  const book = await loadPriceBook(prices)
  const one = { input: 1, output: 1, cached: null }
  const isPriced =
    findPrice(prices?.prices, name) !== undefined ||
    book.bill(pricedModel(name, undefined, endpoint), one).costUsd !== null
  const { program } = setting
  // The gateway before an address counts tokens, too.
  const mayCount = program === undefined || program.tokens !== undefined || endpoint !== undefined
  const mayCost = (isPriced && mayCount) || program?.cost !== undefined || reportsCost(name, endpoint)
  return { agent: name, isPriced, mayCost, mayBeTold: agentReach(name) === 'model', mayCount }
}

/** Whether calls of an agent are priced by bench. Other agents have no cost, or tell it themselves. */
export const hasPrices = (name: string) => ['model', 'program', 'replies'].includes(agentReach(name) ?? '')

/** Whether the provider of an agent may report the cost of a call. */
function reportsCost(name: string, endpoint: string | undefined): boolean {
  const [provider] = withoutLabel(name).split(':')
  if (provider === 'opencode-cli') return true
  const vendor = vendorOf(name)
  if (provider === 'claude-cli') return vendor !== undefined && billerAt(vendor, endpoint) !== undefined
  return provider === 'openai-compatible' && /^https:\/\/([\w-]+\.)*openrouter\.ai(\/|$)/.test(endpoint ?? '')
}

interface CallToBill {
  step: AskStep
  /** The agent that makes the call now, and the address that it calls. */
  agent: string
  endpoint: string | undefined
}

/**
 * Returns a function that bills recorded calls at present prices: by the user's prices, which are by names in records, else as the
 * provider reported for the same agent, else by the table of list prices. A call without tokens, such as a refused one, costs 0.
 */
export async function presentBills(prices: PriceFile | undefined): Promise<(call: CallToBill) => CallBill> {
  const book = await loadPriceBook(prices)
  return ({ step, agent, endpoint }) => {
    const { tokens, costUsd, costSource, model } = step
    const isSame = agent === step.agent
    if (tokens.input === 0 && tokens.output === 0) return { costUsd: 0 }
    // Agents without prices tell their cost themselves.
    if (isSame && !hasPrices(agent)) return { costUsd }
    const isReported = isSame && costSource === 'provider' && !findPrice(prices?.prices, agent)
    const reported = isReported && costUsd !== null ? costUsd : undefined
    const bill = (of: Tokens, answered: string | undefined, told?: number) =>
      book.bill(pricedModel(agent, isSame ? answered : undefined, endpoint), of, told)
    if (!isSame || reported !== undefined || !step.models) return bill(tokens, model, reported)
    return addBills(step.models.map((one) => bill(one.tokens, one.model)))
  }
}

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
