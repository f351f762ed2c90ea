import type { ModelPrices, PriceFile } from '../schema/agent/prices.ts'
import { withoutLabel } from './agent.ts'

/** Agents of the config file by label, with their names in records, which need not contain the label. */
export type AgentLabels = Readonly<Record<string, string>>

/**
 * Returns the names under which the price of an agent may stand, the most exact first. This is the one rule of `bench run`,
 * `--dry-run`, `--confirm-above`, `--estimate-from`, `bench reprice` and `bench doctor --call`:
 *
 * 1. the name with its label, as in records: `coder=openai-compatible:m`;
 * 2. the label: `coder`;
 * 3. the provider and the model: `openai-compatible:m`.
 *
 * `labels` adds the labels of agents whose names in records have none.
 */
export function priceNames(agent: string, labels: AgentLabels = {}): string[] {
  const plain = withoutLabel(agent)
  const own =
    plain === agent
      ? Object.keys(labels).filter((label) => labels[label] === agent)
      : [agent.slice(0, -plain.length - 1)]
  return [...own.map((label) => `${label}=${plain}`), ...own, plain]
}

/** Returns the user's price of an agent: the one under its most exact name. Undefined without a price. */
export function findPrice(
  prices: PriceFile['prices'] | undefined,
  agent: string,
  labels?: AgentLabels,
): ModelPrices | undefined {
  const name = priceNames(agent, labels).find((one) => prices && Object.hasOwn(prices, one))
  return name === undefined ? undefined : prices?.[name]
}

/** Returns the user's prices by the names of these agents in records; undefined if none of them has one. */
export function pricesOfAgents(
  prices: PriceFile['prices'] | undefined,
  agents: Iterable<string>,
  labels?: AgentLabels,
): PriceFile | undefined {
  const found = [...new Set(agents)].flatMap((agent) => {
    const price = findPrice(prices, agent, labels)
    return price ? [[agent, price] as const] : []
  })
  return found.length > 0 ? { prices: Object.fromEntries(found) } : undefined
}
