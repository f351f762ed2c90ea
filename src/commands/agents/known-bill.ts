import type { Agent } from '../../agents/agent.ts'
import { withoutLabel } from '../../agents/agent.ts'
import { findPrice, loadPriceBook } from '../../agents/price-book.ts'
import { pricedModel, vendorOf } from '../../agents/priced-model.ts'
import { agentReach } from '../../agents/registry.ts'
import { billerAt } from '../../agents/vendor.ts'
import type { AgentSetting } from '../../schema/agent/agent-settings.ts'
import type { PriceFile } from '../../schema/agent/prices.ts'

/** What bench knows of an agent's bill before it asks the agent. */
export interface KnownBill {
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
export const hasPrices = (name: string) => ['model', 'program'].includes(agentReach(name) ?? '')

/** Whether the provider of an agent may report the cost of a call. */
function reportsCost(name: string, endpoint: string | undefined): boolean {
  const [provider] = withoutLabel(name).split(':')
  if (provider === 'opencode-cli') return true
  const vendor = vendorOf(name)
  if (provider === 'claude-cli') return vendor !== undefined && billerAt(vendor, endpoint) !== undefined
  return provider === 'openai-compatible' && /^https:\/\/([\w-]+\.)*openrouter\.ai(\/|$)/.test(endpoint ?? '')
}
