import { type AgentLabels, priceNames } from '../../agents/price-book.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Config } from '../../schema/run/config.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { Problem } from '../../text/errors.ts'
import { didYouMean } from '../../text/near-word.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { recordedName } from './recorded-name.ts'

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

/** Returns all agents that a config file names, by their names in records, and the others. */
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

/** Returns the problem of a price that matches no agent. */
export function noAgent(where: string, key: string, known: readonly string[]): Problem {
  const more = known.length > maxKnown ? ` … and ${known.length - maxKnown} more` : ''
  const fix =
    didYouMean(key, known, '"') ??
    `Write the name of an agent: ${known.slice(0, maxKnown).join(', ') || 'PROVIDER:MODEL'}${more}.`
  return { where, what: `is a price, but no agent is "${key}"`, fix }
}

/** Returns a problem for each price by label that contradicts the one of another label, if records give both the same name. */
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
