import type { Wire } from '../schema/agent/agent-program.ts'
import type { Tokens } from '../schema/tokens.ts'

/** What a request costs; US dollars, as in `AgentReply`. */
interface Price {
  costUsd: number | null
  listCostUsd?: number
  costSource?: 'provider' | 'file' | 'table'
}

/**
 * The server of an agent's model, to which the gateway passes the requests of a program that asks the model itself. The key is read by a
 * function, so that it is in no object that is written.
 */
export interface Upstream {
  /** The formats in which its server takes requests. */
  wires: readonly Wire[]
  model: string
  /** With the version in its path; undefined if it is not known. */
  baseUrl: string | undefined
  key(): string | undefined
  /** Requests may have the provider run something, such as a search: `--allow-provider-tools`. */
  providerTools: boolean
  /** Loads how requests are priced: by their tokens, the model that answered, and the cost that its server reports, if it does. */
  loadPrices(): Promise<(tokens: Tokens, answered?: string, reported?: number) => Price>
}
