import { readFileSync } from 'node:fs'
import { withoutLabel } from '../../agents/agent.ts'
import { type AgentLabels, findPrice, priceNames, pricesOfAgents } from '../../agents/price-book.ts'
import { checkAgentName } from '../../agents/registry.ts'
import { PriceFile } from '../../schema/agent/prices.ts'
import type { Config } from '../../schema/run/config.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Problem, UserError } from '../../text/errors.ts'
import { didYouMean, nearWord } from '../../text/near-word.ts'
import { readYaml, type YamlFile } from '../../yaml/read-fields.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { recordedName } from './config-agents.ts'
import { knownBill } from './known-bill.ts'

/** Most known names in a message. */
const maxKnown = 8

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

function noAgent(where: string, key: string, known: readonly string[]): Problem {
  const more = known.length > maxKnown ? ` … and ${known.length - maxKnown} more` : ''
  const fix =
    didYouMean(key, known, '"') ??
    `Write the name of an agent: ${known.slice(0, maxKnown).join(', ') || 'PROVIDER:MODEL'}${more}.`
  return { where, what: `is a price, but no agent is "${key}"`, fix }
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

/** Reads a YAML file of prices. Throws `UserError` with all of its problems. */
export function readPriceFile(path: string): YamlFile<PriceFile> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const what = `cannot be read: ${(error as Error).message}`
    throw new UserError({ where: `--prices ${path}`, what, fix: 'Name a YAML file of prices.' })
  }
  const problems: Problem[] = []
  const file = readYaml(text, path, PriceFile, problems, {
    prices: 'List agents and their prices under it.',
  })
  if (!file) throw new UserError(problems)
  return file
}

interface PricedAgents {
  /** Their names in records. */
  agents: readonly string[]
  /** All labels of the config file or of the run. */
  labels: AgentLabels
  /** Those without any price, the user's other prices and the table's included. */
  unpriced: readonly string[]
}

/**
 * Returns the problems of a price file. Several runs may share one, so it may hold prices of other agents. A problem is a key that
 * cannot be an agent, a key that is nearly the name of an agent without a price, and a file that matches no agent at all.
 */
export function priceFileProblems(path: string, { agents, labels, unpriced }: PricedAgents): Problem[] {
  const { data, where } = readPriceFile(path)
  const namesOf = (some: readonly string[]) => some.flatMap((agent) => priceNames(agent, labels))
  const known = namesOf(agents)
  const keys = Object.keys(data.prices)
  const others = keys.filter((key) => !known.includes(key))
  const matchesNone = others.length === keys.length
  const lacking = namesOf(unpriced.filter((agent) => !findPrice(data.prices, agent, labels)))
  const wrong = others.flatMap((key) => {
    const meant = [lacking, known].find((names) => nearWord(key, names) !== undefined)
    if (canBeAgent(key, labels) && meant !== lacking && !(matchesNone && meant)) return []
    return [noAgent(where('prices', key), key, meant ?? known)]
  })
  if (wrong.length > 0 || !matchesNone) return wrong
  const fix = `Name one of them: ${known.join(', ')}.`
  return [{ where: `--prices ${path}`, what: 'has no price of an agent of this run', fix }]
}

/** Whether an agent of some run can have this name: a label that is known, or a provider and a model. */
function canBeAgent(key: string, labels: AgentLabels): boolean {
  const plain = withoutLabel(key)
  if (plain === key && Object.hasOwn(labels, key)) return true
  const hasLabel = plain === key || Object.hasOwn(labels, key.slice(0, -plain.length - 1))
  return hasLabel && checkAgentName(plain) === undefined
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
