import { withoutLabel } from '../../agents/agent.ts'
import { type AgentLabels, priceNames, pricesOfAgents } from '../../agents/price-book.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Config } from '../../schema/run/config.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { recordedName } from './config-agents.ts'
import { knownBill } from './known-bill.ts'
import { noAgent, priceFileProblems, readPriceFile } from './price-file.ts'

/** Returns the prices of a config file: those of `prices`, and those of its agents' own entries, by their names in records. */
export function configPrices(config: Config = {}): PriceFile['prices'] {
  const own = Object.entries(config.agents ?? {}).flatMap(([label, agent]) =>
    typeof agent === 'object' && agent.prices ? [[recordedName(label, agent), agent.prices] as const] : [],
  )
  return { ...config.prices, ...Object.fromEntries(own) }
}

/** Returns the agents of a config file by label, with their names in records. */
export function agentLabels(config: Config = {}): AgentLabels {
  const all = Object.entries(config.agents ?? {})
  return Object.fromEntries(all.map(([label, agent]) => [label, recordedName(label, agent)]))
}

/**
 * Returns a problem for each price of a config file that matches no agent, and for two prices of one agent. `others` are names of
 * agents that the file itself does not have.
 */
export function configPriceProblems(
  { config, where }: Pick<ConfigFile, 'config' | 'where'>,
  others: readonly string[],
): Problem[] {
  const labels = agentLabels(config)
  const prices = config.prices ?? {}
  const known = new Set(agentsNamed(config, others).flatMap((name) => priceNames(name, labels)))
  const unknown = Object.keys(prices).filter((key) => !known.has(key))
  return [
    ...unknown.map((key) => noAgent(where('prices', key), key, [...known])),
    ...twoPrices(prices, labels).map(({ key, ...problem }) => ({ where: where('prices', key), ...problem })),
  ]
}

/** Whether a config file has a price that none of these agents and none of its own can have. */
export const hasUnmatchedPrice = (config: Config, others: readonly string[]) =>
  configPriceProblems({ config, where: () => '' }, others).length > 0

function agentsNamed(config: Config, others: readonly string[]): string[] {
  const { agents = {}, roles = {}, methods = {}, run } = config
  const labels = agentLabels(config)
  const texts = [
    ...Object.values(roles),
    ...Object.values(methods).flatMap((method) => Object.values(method.roles ?? {})),
    ...[run?.agents ?? []].flat().flatMap((text) => text.split(',').map((part) => part.trim())),
  ]
  const named = texts.map((text) => (Object.hasOwn(agents, text) ? (labels[text] as string) : text))
  return [...new Set([...Object.values(labels), ...others, ...named])]
}

function twoPrices(
  prices: PriceFile['prices'],
  labels: AgentLabels,
): { key: string; what: string; fix: string }[] {
  const first = new Map<string, { key: string; price: string }>()
  return Object.entries(labels).flatMap(([label, name]) => {
    const key = [`${label}=${name}`, label].find((one) => Object.hasOwn(prices, one))
    if (key === undefined) return []
    const price = canonicalJson(prices[key])
    const other = first.get(name)
    if (!other) first.set(name, { key, price })
    if (!other || other.price === price) return []
    const what = `differs from the price of "${other.key}", but both are the agent ${name}`
    return [{ key, what, fix: `Set prices in the agent's own entry instead: agents.${label}.prices.` }]
  })
}

/** Returns the user's prices: those of the file at `path` override `others`. Undefined without prices. Throws `UserError`. */
export function userPrices(
  path: string | undefined,
  others: PriceFile['prices'] = {},
): PriceFile | undefined {
  const { prices: own, ...origin } = path === undefined ? { prices: {} } : readPriceFile(path).data
  const prices = { ...others, ...own }
  return Object.keys(prices).length > 0 ? { ...origin, prices } : undefined
}

interface PresentPrices {
  /** By names in records; undefined if no agent has one. */
  prices: PriceFile | undefined
  /** Agents whose price comes from the file of `--prices`, and from the config file. */
  byFile: string[]
  byConfig: string[]
}

/**
 * Returns the user's present prices of the agents of an earlier run, by the rule of `bench run`. Throws `UserError` if the file of
 * `--prices` does not fit the run; a config file may have prices of other agents only.
 */
export async function presentPrices(
  { path, config }: { path: string | undefined; config: ConfigFile | undefined },
  agents: readonly string[],
  { endpoints, prices: ofRun, agentSettings }: RunManifest,
): Promise<PresentPrices> {
  if (agents.length === 0) return { prices: undefined, byFile: [], byConfig: [] }
  const labels = { ...agentLabels(config?.config), ...ofRun?.labels }
  const present = userPrices(path, pricesForRun(config, agents))
  const all = present?.prices ?? {}
  const prices = pricesOfAgents(present, agents, labels)
  const typed = path === undefined ? {} : readPriceFile(path).data.prices
  if (path !== undefined) {
    const bills = await Promise.all(
      agents.map((name) => knownBill({ name, endpoint: endpoints?.[name] }, prices, agentSettings?.[name])),
    )
    const unpriced = bills.flatMap(({ agent, isPriced }) => (isPriced ? [] : [agent]))
    const known = { ...labelsIn(agents), ...labels }
    const problems = priceFileProblems(path, { agents, labels: known, unpriced })
    if (problems.length > 0) throw new UserError(problems)
  }
  const nameOf = (agent: string) => priceNames(agent, labels).find((name) => Object.hasOwn(all, name))
  const priced = agents.flatMap((agent) => {
    const name = nameOf(agent)
    return name === undefined ? [] : [{ agent, isTyped: Object.hasOwn(typed, name) }]
  })
  const those = (isTyped: boolean) =>
    priced.filter((one) => one.isTyped === isTyped).map(({ agent }) => agent)
  return { prices, byFile: those(true), byConfig: those(false) }
}

function pricesForRun(config: ConfigFile | undefined, agents: readonly string[]): PriceFile['prices'] {
  const labels = agentLabels(config?.config)
  const models = new Set(agents.map(withoutLabel))
  const isOfRun = (key: string) => {
    const name = labels[key]
    return name === undefined || models.has(withoutLabel(name))
  }
  return Object.fromEntries(Object.entries(configPrices(config?.config)).filter(([key]) => isOfRun(key)))
}

function labelsIn(agents: readonly string[]): AgentLabels {
  const labelled = agents.filter((name) => withoutLabel(name) !== name)
  return Object.fromEntries(labelled.map((name) => [name.slice(0, -withoutLabel(name).length - 1), name]))
}
