import { cliKinds } from './cli/kinds/kinds.ts'
import { families } from './http/families.ts'
import type { PricedModel } from './price-book.ts'
import type { Vendor } from './vendor.ts'

/** Returns what the price book needs for a call in a ledger: the agent's name, the model that answered and the address. */
export function pricedModel(
  agent: string,
  answered: string | undefined,
  endpoint: string | undefined,
): PricedModel {
  const colon = agent.indexOf(':')
  // An agent with a label is LABEL=PROVIDER:MODEL.
  const provider = agent.slice(0, colon).replace(/^.*=/, '')
  const vendor = vendors.find(({ name }) => name === provider)
  const model = colon < 0 ? (answered ?? '') : agent.slice(colon + 1)
  // No price list contains the address of a local server.
  return vendor ? { agent, model, billedBy: vendor.billedBy, endpoint } : { agent, model }
}

const vendors: readonly Vendor[] = [...families, ...cliKinds]
