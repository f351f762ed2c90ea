import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply } from '../agent.ts'

/** Tokens in the ledger's words: null, or absent, is not reported. */
export function tokensOf(usage: LanguageModelV3Usage | undefined): Tokens {
  const { total: input, cacheRead, cacheWrite } = usage?.inputTokens ?? {}
  const { total: output, reasoning } = usage?.outputTokens ?? {}
  const written = usage?.raw?.cache_creation
  const hour = isObject(written) ? written.ephemeral_1h_input_tokens : undefined
  return {
    input: input ?? null,
    output: output ?? null,
    cached: cacheRead ?? null,
    ...(cacheWrite !== undefined && { cacheWrite }),
    ...(typeof hour === 'number' && { cacheWriteHour: hour }),
    ...(reasoning !== undefined && { reasoning }),
  }
}

/** Longer ones hold more than counts. */
const longestUsage = 4_096

/** The provider's own words about usage, kept for later prices; left out where they are longer than 4 KiB. */
export function rawUsage(usage: Readonly<Record<string, unknown>> | undefined): Pick<AgentReply, 'usage'> {
  return usage && JSON.stringify(usage).length <= longestUsage ? { usage } : {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
