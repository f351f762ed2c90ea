import type { Tokens } from '../../schema/tokens.ts'
import { isJson, type Json, numberAt, objectAt, sum, textAt } from './reading.ts'

/** What a reply of a model's provider has told so far. */
export interface ObservedReply {
  /** The provider's own usage, whatever its words; later numbers stand for earlier ones. Empty until it tells one. */
  usage: Json
  /** A model's reply, by its shape, and not a list or a count. */
  ofModel: boolean
  /** The reply has told its end. */
  ended: boolean
  /** It told an error in place of its end. */
  failed: boolean
  /** Some of it could not be read. */
  unreadable: boolean
}

/** A reply of which nothing has come yet. */
export const newObservedReply = (): ObservedReply => ({
  usage: {},
  ofModel: false,
  ended: false,
  failed: false,
  unreadable: false,
})

const ends = new Set(['message_stop', 'response.completed', 'response.incomplete'])
const wholes = new Set(['message', 'response', 'chat.completion'])

/** Takes a whole reply in JSON, or an event of a stream, in the wire of Anthropic, OpenAI (Responses, Chat) or Gemini. */
export function observePart(reply: ObservedReply, value: unknown): void {
  if (Array.isArray(value)) {
    for (const one of value) observePart(reply, one)
    return
  }
  if (!isJson(value)) return
  const type = textAt(value, 'type') || textAt(value, 'object')
  if (value.error || type === 'error' || type === 'response.failed') reply.failed = true
  const places = [value, objectAt(value, 'message'), objectAt(value, 'response')]
  for (const place of places)
    for (const found of [objectAt(place, 'usage'), objectAt(place, 'usageMetadata')])
      Object.assign(reply.usage, found)
  const candidates = [value.choices, value.candidates].flatMap((list) => (Array.isArray(list) ? list : []))
  const finished = candidates.some((one) => isJson(one) && (one.finish_reason ?? one.finishReason))
  if (finished || ends.has(type) || wholes.has(type)) reply.ended = true
  if (candidates.length > 0 || wholes.has(type) || /^(message_|response\.)/.test(type)) reply.ofModel = true
}

/** The usage in the project's words; undefined where it holds none that is known. */
export function tokensFromUsage(usage: Json): Tokens | undefined {
  if ('promptTokenCount' in usage) return geminiTokens(usage)
  if ('prompt_tokens' in usage) return chatTokens(usage)
  if (!('input_tokens' in usage)) return undefined
  return 'total_tokens' in usage ? responsesTokens(usage) : anthropicTokens(usage)
}

/** Anthropic's usage, which Claude Code hands on: fresh input, reads and writes apart; output holds the thinking. */
export function anthropicTokens(usage: Json): Tokens {
  const cached = numberAt(usage, 'cache_read_input_tokens')
  const written = numberAt(usage, 'cache_creation_input_tokens')
  const hour = numberAt(objectAt(usage, 'cache_creation'), 'ephemeral_1h_input_tokens')
  const reasoning = numberAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens')
  return {
    input: sum(numberAt(usage, 'input_tokens'), cached ?? 0, written ?? 0),
    output: numberAt(usage, 'output_tokens'),
    cached,
    ...(written !== null && { cacheWrite: written }),
    ...(hour !== null && { cacheWriteHour: hour }),
    ...(reasoning !== null && { reasoning }),
  }
}

const responsesTokens = (usage: Json) => openaiTokens(usage, ['input_tokens', 'output_tokens'])
const chatTokens = (usage: Json) => openaiTokens(usage, ['prompt_tokens', 'completion_tokens'])

/** Both of OpenAI's wires: sums, and their parts under `_details`. */
function openaiTokens(usage: Json, [input, output]: readonly [string, string]): Tokens {
  const reasoning = numberAt(objectAt(usage, `${output}_details`), 'reasoning_tokens')
  return {
    input: numberAt(usage, input),
    output: numberAt(usage, output),
    cached: numberAt(objectAt(usage, `${input}_details`), 'cached_tokens'),
    ...(reasoning !== null && { reasoning }),
  }
}

/** Thoughts beside the candidates' tokens; a count that is 0 may be left out. */
function geminiTokens(usage: Json): Tokens {
  const reasoning = numberAt(usage, 'thoughtsTokenCount')
  return {
    input: numberAt(usage, 'promptTokenCount'),
    output: sum(numberAt(usage, 'candidatesTokenCount') ?? 0, reasoning ?? 0),
    cached: numberAt(usage, 'cachedContentTokenCount') ?? 0,
    ...(reasoning !== null && { reasoning }),
  }
}
