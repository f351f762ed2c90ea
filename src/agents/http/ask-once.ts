import type { LanguageModelV3Usage } from '@ai-sdk/provider'
import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { isObject } from '../../text/is-object.ts'
import type { AgentReply, AgentRequest, RequestTools } from '../agent.ts'
import { loadPriceBook, type PricedModel } from '../price-book.ts'
import type { StreamedReply } from './call-model.ts'
import { failureOf } from './failure.ts'
import { nativeFormatOf, noFormatMessage, refusesFormat } from './native-format.ts'
import { withToolName } from './tools/named-tool.ts'
import { noToolsMessage, refusesTools } from './tools/no-tools.ts'
import { toolTurnOf } from './tools/tool-turn.ts'

/** One attempt over HTTP. */
interface Attempt {
  request: AgentRequest
  signal: AbortSignal
  /** Makes the call. Aborting the signal ends the call and its socket. */
  call(signal: AbortSignal): Promise<StreamedReply>
  priced: PricedModel
  prices: PriceFile | undefined
  /** Removes keys from a vendor's message. */
  clean(message: string): string
}

/**
 * Makes one call within its time limit and returns the reply: text, even if the stream broke off, tokens, bill, and either the
 * calls of tools or at most one error. Rejects when aborted.
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
  const streamed = await call(timer ? AbortSignal.any([signal, timer]) : signal)
  signal.throwIfAborted()
  const durationMs = Math.round(performance.now() - started)
  const failure = timer?.aborted && !streamed.finish ? timeoutError(timeoutMs) : errorOf(streamed)
  const error = explained(priced.agent, request, streamed, failure)
  const tokens = tokensOf(streamed.usage)
  const book = await loadPriceBook(prices)
  return {
    text: streamed.text,
    // Of a reply that broke off no call is made.
    ...(!error && toolTurn(streamed, request)),
    tokens,
    ...book.bill(priced, tokens, reportedCost(streamed)),
    ...rawUsage(streamed.usage?.raw),
    ...(nativeFormatOf(request) && { structured: 'native' as const }),
    ...(streamed.model !== undefined && { model: streamed.model }),
    durationMs,
    ...(error && { error: { ...error, message: clean(error.message) } }),
  }
}

const timeoutError = (timeoutMs: number | undefined): AgentReply['error'] => ({
  reason: 'timeout',
  message: `no whole reply in ${timeoutMs} ms`,
})

function errorOf({ error, finish, end }: StreamedReply): AgentReply['error'] {
  if (error !== undefined) return failureOf(error)
  if (finish === 'content-filter')
    return { reason: 'refusal', message: 'the model, or a filter around it, refused' }
  if (finish === 'error') {
    const word = end === undefined || end === 'error' ? '' : ` (${end})`
    return { reason: 'server', message: `the provider ended the reply with an error${word}` }
  }
  return undefined
}

/** Returns a failure with its remedy, where the server refuses tools or the schema, and with the name of the tool that it is about. */
function explained(
  agent: string,
  request: AgentRequest,
  { error }: StreamedReply,
  failure: AgentReply['error'],
): AgentReply['error'] {
  if (!failure) return failure
  const body = (error as { responseBody?: unknown } | undefined)?.responseBody
  const words = `${failure.message} ${typeof body === 'string' ? body : ''}`
  if (request.tools) return toolFailure(agent, request.tools, words, failure)
  return failure.reason === 'request' && nativeFormatOf(request) && refusesFormat(words)
    ? { ...failure, message: noFormatMessage(agent, failure.message) }
    : failure
}

/** If a server refuses tools as such, no retry would help, whatever its status. */
function toolFailure(
  agent: string,
  tools: RequestTools,
  words: string,
  failure: NonNullable<AgentReply['error']>,
): AgentReply['error'] {
  return refusesTools(words)
    ? { reason: 'request', message: noToolsMessage(agent, failure.message) }
    : { ...failure, message: withToolName(failure.message, tools) }
}

function toolTurn({ parts, finish, givenIds, beside }: StreamedReply, { tools }: AgentRequest) {
  if (!tools) return {}
  const given = givenIds && new Set(givenIds)
  return toolTurnOf({ parts, isCut: finish === 'length', givenIds: given, beside }, tools)
}

/** Returns the cost in US dollars that some providers, such as OpenRouter, report. */
function reportedCost({ usage }: StreamedReply): number | undefined {
  const cost = usage?.raw?.cost
  return typeof cost === 'number' && cost >= 0 ? cost : undefined
}

/** Returns the tokens as the ledger has them. Null or absent means not reported. */
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

/** A usage object longer than this contains more than counts; characters. */
const longestUsage = 4_096

/** Returns the provider's own usage object, kept for later pricing, unless it is longer than 4 KiB. */
function rawUsage(usage: Readonly<Record<string, unknown>> | undefined): Pick<AgentReply, 'usage'> {
  return usage && JSON.stringify(usage).length <= longestUsage ? { usage } : {}
}
