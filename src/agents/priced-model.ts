import { withoutLabel } from './agent.ts'
import { cliKinds } from './cli/kinds.ts'
import { families } from './http/families.ts'
import type { PricedModel } from './price-book.ts'
import { billerAt, type Vendor } from './vendor.ts'

/** Returns what the price book needs for a call in a ledger: the agent's name, the model that answered and the address. */
export function pricedModel(
  agent: string,
  answered: string | undefined,
  endpoint: string | undefined,
): PricedModel {
  const vendor = vendorOf(agent)
  const colon = agent.indexOf(':')
  const model = colon < 0 ? (answered ?? '') : agent.slice(colon + 1)
  // No price list contains the address of a local server.
  return vendor
    ? { agent, model, answered, billedBy: billerAt(vendor, endpoint), endpoint }
    : { agent, model }
}

/** Returns the vendor of an agent, by its name with or without a label; undefined if it has none. */
export function vendorOf(agent: string): Vendor | undefined {
  const [provider] = withoutLabel(agent).split(':')
  return vendors.find(({ name }) => name === provider)
}

const vendors: readonly Vendor[] = [...families, ...cliKinds]
