import type { PriceFile } from '../../schema/agent/prices.ts'
import type { Tokens } from '../../schema/tokens.ts'
import { shorten } from '../../text/shorten.ts'
import type { AgentReply, AgentRequest, RequestTools } from '../agent.ts'
import { failureOf, failureOfBody, failureOfBreak, failureOfEvent, isNeverSent } from '../failures/failure.ts'
import { loadPriceBook, type PricedModel } from '../price-book.ts'
import { amountAt, type Json, objectAt } from '../wire/json.ts'
import { breakOf } from '../wire/observe-reply.ts'
import { tokensFromUsage } from '../wire/read-usage.ts'
import { finishOf, type StreamedReply, streamEnded } from './call-model.ts'
import { nativeFormatOf, noFormatMessage, refusesFormat } from './native-format.ts'
import { toolTurnOf } from './tool-turn.ts'

/**
 * What servers say when a model, or the way in which they were started, takes no tools: Ollama, OpenRouter, llama.cpp, vLLM, Gemini
 * with Gemma, DeepSeek, Groq, OpenAI.
 */
const refusals: readonly RegExp[] = [
  /(?:does not|doesn't|do not) support (?:the )?(?:use of )?(?:tools?\b|tool[ _-]?(?:use|call|choice)|function[ _-]?call)/i,
  /no endpoints found that support (?:the provided )?['"`]?tool/i,
  /tools? param(?:eter)? (?:requires|is not)/i,
  /requires --enable-auto-tool-choice/i,
  /(?:\btools?|tool[ _-]?(?:use|calls?|calling|choice)|function[ _-]?calls?(?:ing)?|functions)['"`]? (?:is|are) (?:not (?:enabled|supported|available|allowed)|unsupported)/i,
]

/** Whether a server's message says that it takes no tools. */
export const refusesTools = (message: string): boolean => refusals.some((refusal) => refusal.test(message))

const noToolsMessage = (agent: string, words: string): string =>
  `${agent} takes no tools (its server says "${words}"); use \`--tools none\`, or a model or server that takes tools`

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
  // A status that came says more than the time, also if the body behind it never ended.
  const isLate =
    timer?.aborted && !streamed.finish && !isCutRefusal(streamed) && statusOf(streamed.error) === undefined
  const failure = isLate ? timeoutError(timeoutMs) : errorOf(streamed)
  const error = explained(priced.agent, request, streamed, failure)
  const { usage } = streamed.wire
  const tokens = tokensOf(streamed)
  const book = await loadPriceBook(prices)
  const finish = finishOf(streamed)
  return {
    text: streamed.text,
    // Of a reply that broke off no call is made.
    ...(!error && toolTurn(streamed, request)),
    ...(isRefused(streamed)
      ? nothingSent
      : { tokens, ...book.bill({ ...priced, answered: streamed.model }, tokens, reportedCost(usage)) }),
    ...rawUsage(usage),
    ...(nativeFormatOf(request) && { structured: 'native' as const }),
    ...modelOf(streamed),
    ...(finish && { finish }),
    durationMs,
    ...(error && { error: { ...error, message: clean(error.message) } }),
  }
}

/** Libraries do not tell each vendor's field. */
const modelOf = ({ model, wire }: StreamedReply) => {
  const told = model || wire.model
  return told ? { model: told } : {}
}

/** The tokens and cost of a call that was not sent, or was refused before a byte of a reply. */
export const nothingSent = { tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 }

/** Whether a server refused the call by its status, or a redirect is not followed, or the request could not be sent. */
function isRefused({ error, wire }: StreamedReply): boolean {
  if (wire.status !== undefined) return wire.status >= 300
  const status = statusOf(error)
  if (status !== undefined) return status >= 300
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: unknown }
  const codes = [code, (cause as { code?: unknown } | undefined)?.code]
  return codes.some((one) => typeof one === 'string' && isNeverSent(one))
}

function statusOf(error: unknown): number | undefined {
  const { statusCode } = (error ?? {}) as { statusCode?: unknown }
  return typeof statusCode === 'number' ? statusCode : undefined
}

/** Whether a server refused the call, and the body of its refusal did not end: the error then has no status. */
const isCutRefusal = ({ error, wire: { status = 0 } }: StreamedReply): boolean =>
  status >= 300 && statusOf(error) === undefined

const cutBody = 'the body of this refusal did not end'

const timeoutError = (timeoutMs: number | undefined): AgentReply['error'] => ({
  reason: 'timeout',
  message: `no whole reply in ${timeoutMs} ms`,
})

function errorOf(streamed: StreamedReply): AgentReply['error'] {
  const { error, text, finish, end, wire } = streamed
  if (wire.failed) return failureOfEvent(wire)
  if (finish === 'refusal' || (wire.refusal !== '' && text.trim() === '')) {
    const words = wire.refusal === '' ? '' : `: ${wire.refusal.slice(0, 400)}`
    return { reason: 'refusal', message: `the model, or a filter around it, refused${words}` }
  }
  if (error !== undefined) {
    const failure = failureOf(isCutRefusal(streamed) ? { statusCode: wire.status, message: cutBody } : error)
    const { message } = error as { message?: string }
    // Libraries take an empty body for a broken connection, and only some of them an early end.
    const isEmpty = /empty response body/i.test(failure.message)
    const isEarlyEnd = error === streamEnded || /ended without a finish reason/.test(message ?? '')
    if (isRefused(streamed) || (failure.reason === 'network' && !isEmpty && !isEarlyEnd)) return failure
    const isUnknown = wire.parts === 0 && wire.unknown !== undefined
    if (isUnknown) return { reason: 'server', message: notItsFormat(wire.unknown) }
    if (wire.status !== undefined && wire.parts === 0) return failureOfBody(wire)
    return isEarlyEnd ? failureOf(streamEnded) : withoutDump(failure, error)
  }
  const word = breakOf(wire) ?? (finish === 'error' ? (end ?? 'error') : undefined)
  return word === undefined ? undefined : failureOfBreak(word)
}

/** A library that cannot read a part says so by the rules that the part breaks, at length. The part itself says more. */
function withoutDump(failure: NonNullable<AgentReply['error']>, error: unknown): AgentReply['error'] {
  const { name, value } = error as { name?: unknown; value?: unknown }
  if (typeof name !== 'string' || !name.includes('TypeValidation')) return failure
  return { ...failure, message: notItsFormat(value) }
}

const notItsFormat = (part: unknown) =>
  `a part of the reply is not in the format of its API: ${shorten(JSON.stringify(part) ?? '', 400)}`

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

/** xAI's unit of money. */
const ticksPerDollar = 1e10

/**
 * Returns the cost in US dollars that some providers report: OpenRouter, Perplexity (an object) and xAI (in ticks). With a key of one's own for the server behind it
 * (`is_byok`), OpenRouter's `cost` is its fee alone.
 */
export function reportedCost(usage: Json): number | undefined {
  const cost = costIn(usage)
  // No request costs a million dollars.
  return cost !== undefined && cost > 1e6 ? undefined : cost
}

function costIn(usage: Json): number | undefined {
  const ticks = amountAt(usage, 'cost_in_usd_ticks')
  const cost = amountAt(usage, 'cost') ?? amountAt(objectAt(usage, 'cost'), 'total_cost')
  if (cost === null) return ticks === null ? undefined : ticks / ticksPerDollar
  if (usage.is_byok !== true) return cost
  const upstream = amountAt(objectAt(usage, 'cost_details'), 'upstream_inference_cost')
  return upstream === null ? undefined : cost + upstream
}

/** Returns the tokens as the ledger has them. A reply that broke off has none, since its counts so far were not final. */
function tokensOf({ wire }: StreamedReply): Tokens {
  const told = wire.ended && !wire.failed ? tokensFromUsage(wire.usage) : undefined
  return told ?? { input: null, output: null, cached: null }
}

/** A usage object longer than this contains more than counts; characters. */
const longestUsage = 4_096

/** Returns the provider's own usage object, kept for later pricing, unless it is longer than 4 KiB. */
export function rawUsage(usage: Json): Pick<AgentReply, 'usage'> {
  return Object.keys(usage).length > 0 && JSON.stringify(usage).length <= longestUsage ? { usage } : {}
}

/** Where vendors say by a number which tool they refuse: Google's list stands in the first entry of another one. */
const places = [/function_?declarations\[(\d+)\]/i, /\btools(?:\.|\[)(\d+)/i]

/** Returns a vendor's message with the name of the tool that it counts, such as `tools.3.custom.input_schema`. */
export function withToolName(message: string, { definitions }: Pick<RequestTools, 'definitions'>): string {
  const [number] = places.flatMap((place) => place.exec(message)?.[1] ?? [])
  const name = number === undefined ? undefined : definitions[Number(number)]?.name
  return name === undefined || message.includes(name) ? message : `${message} (the tool ${name})`
}
