import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Tokens } from '../../schema/tokens.ts'
import type { AgentReply, AgentRequest } from '../agent.ts'
import { loadPriceBook, type PricedModel } from '../prices/price-book.ts'
import type { StreamedReply } from './call-model.ts'
import { failureOf } from './failure.ts'

/** One attempt over HTTP. */
interface Attempt {
  request: AgentRequest
  signal: AbortSignal
  /** Makes the call; ends it, and its socket, when the signal says so. */
  call(signal: AbortSignal): Promise<StreamedReply>
  priced: PricedModel
  prices: PriceFile | undefined
  /** Takes keys out of a vendor's words. */
  clean(message: string): string
}

/**
 * Makes a call within its time and turns what was heard into a reply: text, even where it broke off, tokens, bill, and
 * one error at most. Rejects when aborted.
 */
export async function askOnce({
  request,
  signal,
  call,
  priced,
  prices,
  clean,
}: Attempt): Promise<AgentReply> {
  const { timeoutMs } = request
  const started = performance.now()
  const timer = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
  const heard = await call(timer ? AbortSignal.any([signal, timer]) : signal)
  signal.throwIfAborted()
  const durationMs = Math.round(performance.now() - started)
  const error = timer?.aborted && !heard.finish ? late(timeoutMs) : errorOf(heard)
  const tokens = tokensOf(heard.usage)
  const book = await loadPriceBook(prices)
  return {
    text: heard.text,
    tokens,
    ...book.bill(priced, tokens, reportedCost(heard)),
    ...rawUsage(heard.usage?.raw),
    ...(heard.model !== undefined && { model: heard.model }),
    durationMs,
    ...(error && { error: { ...error, message: clean(error.message) } }),
  }
}

const late = (timeoutMs: number | undefined): AgentReply['error'] => ({
  reason: 'timeout',
  message: `no whole reply in ${timeoutMs} ms`,
})

function errorOf({ error, finish }: StreamedReply): AgentReply['error'] {
  if (error !== undefined) return failureOf(error)
  if (finish === 'content-filter')
    return { reason: 'refusal', message: 'the model, or a filter around it, refused' }
  if (finish === 'error') return { reason: 'server', message: 'the provider ended the reply with an error' }
  return undefined
}

/** OpenRouter and the like tell what they bill, in US dollars. */
function reportedCost({ usage }: StreamedReply): number | undefined {
  const cost = usage?.raw?.cost
  return typeof cost === 'number' && cost >= 0 ? cost : undefined
}

/** Tokens in the ledger's words: null, or absent, is not reported. */
function tokensOf(usage: LanguageModelV3Usage | undefined): Tokens {
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
function rawUsage(usage: Readonly<Record<string, unknown>> | undefined): Pick<AgentReply, 'usage'> {
  return usage && JSON.stringify(usage).length <= longestUsage ? { usage } : {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
