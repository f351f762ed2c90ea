import { withoutLabel } from '../../agents/agent.ts'
import { type AgentLabels, priceNames, pricesOfAgents } from '../../agents/price-book.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { UserError } from '../../text/errors.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { agentLabels, configPrices } from './agent-prices.ts'
import { knownBill } from './known-bill.ts'
import { priceFileProblems, readPriceFile, userPrices } from './price-file.ts'

/** The user's present prices of the agents of an earlier run. */
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
  const all = userPrices(path, pricesForRun(config, agents))?.prices ?? {}
  const prices = pricesOfAgents(all, agents, labels)
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

/** Returns the prices of a config file without those of labels that now belong to another model than in the run. */
function pricesForRun(config: ConfigFile | undefined, agents: readonly string[]): PriceFile['prices'] {
  const labels = agentLabels(config?.config)
  const models = new Set(agents.map(withoutLabel))
  const isOfRun = (key: string) => {
    const name = labels[key]
    return name === undefined || models.has(withoutLabel(name))
  }
  return Object.fromEntries(Object.entries(configPrices(config?.config)).filter(([key]) => isOfRun(key)))
}

/** Returns the labels in names of agents, with those names. */
function labelsIn(agents: readonly string[]): AgentLabels {
  const labelled = agents.filter((name) => withoutLabel(name) !== name)
  return Object.fromEntries(labelled.map((name) => [name.slice(0, -withoutLabel(name).length - 1), name]))
}
