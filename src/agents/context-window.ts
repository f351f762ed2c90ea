import type { AgentSetting } from '../schema/agent/agent-settings.ts'
import { acpVendor } from './acp/known-agents.ts'
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
  const named = colon < 0 ? (answered ?? '') : agent.slice(colon + 1)
  const model = acpAgent(agent)?.model ?? named
  // No price list contains the address of a local server.
  return vendor
    ? { agent, model, answered, billedBy: billerAt(vendor, endpoint), endpoint }
    : { agent, model }
}

/** Returns the vendor of an agent, by its name with or without a label; undefined if it has none. */
export function vendorOf(agent: string): Vendor | undefined {
  const [provider] = withoutLabel(agent).split(':')
  if (provider === 'acp') return acpAgent(agent)?.vendor
  return vendors.find(({ name }) => name === provider)
}

const acpAgent = (agent: string) => {
  const [provider, ...command] = withoutLabel(agent).split(':')
  return provider === 'acp' ? acpVendor(command.join(':')) : undefined
}

const vendors: readonly Vendor[] = [...families, ...cliKinds]

/** The context window of an agent in tokens, and where the number is from. */
interface ContextWindow {
  tokens: number
  source: 'setting' | 'table'
}

interface WindowOwner {
  /** Its name in records. */
  agent: string
  /** The model that answered, if the provider named it. */
  answered?: string | undefined
  /** The address that it calls. */
  endpoint?: string | undefined
  setting?: AgentSetting | undefined
}

/** Returns the window of an agent; undefined if it is unknown. */
export type FindWindow = (owner: WindowOwner) => ContextWindow | undefined

/** Loads the price table, which knows the windows of most models. An agent's own setting wins over it. */
export async function loadContextWindows(): Promise<FindWindow> {
  const { calcPrice, findProvider } = await import('@pydantic/genai-prices')
  return ({ agent, answered, endpoint, setting }) => {
    const own = setting?.window ?? setting?.program?.window
    if (own !== undefined) return { tokens: own, source: 'setting' }
    const { model } = pricedModel(agent, answered, endpoint)
    // A model's window is the same behind a proxy, whose prices are not the vendor's.
    const billedBy = vendorOf(agent)?.billedBy
    // A name such as `sonnet` is no model of the table, but the one that answered is.
    const models = [model, ...(answered === undefined ? [] : [answered])]
    const provider = billedBy
      ? findProvider({ providerId: billedBy })
      : endpoint && findProvider({ providerApiUrl: endpoint })
    if (!provider) return undefined
    const tokens = models
      .map((one) => calcPrice({ input_tokens: 0, output_tokens: 0 }, one, { provider })?.model.context_window)
      .find((window) => window !== undefined)
    return tokens === undefined ? undefined : { tokens, source: 'table' }
  }
}
