import type { Tokens } from '../../schema/tokens.ts'
import { isJson, type Json, numberAt, objectAt, sum, textAt } from './reading.ts'

/** What has been read so far of a provider's reply. */
export interface ObservedReply {
  /** The provider's own usage fields; later numbers replace earlier ones. Empty until usage is reported. */
  usage: Json
  /** The shape is that of a model's reply, not of a list or a count. */
  isModelReply: boolean
  /** The reply has been marked as complete. */
  ended: boolean
  /** The reply contains an error. */
  failed: boolean
  /** Part of the reply could not be parsed. */
  unreadable: boolean
}

/** Returns a reply of which nothing has been read yet. */
export const newObservedReply = (): ObservedReply => ({
  usage: {},
  isModelReply: false,
  ended: false,
  failed: false,
  unreadable: false,
})

const ends = new Set(['message_stop', 'response.completed', 'response.incomplete'])
const wholes = new Set(['message', 'response', 'chat.completion'])

/** Adds a whole JSON reply, or one event of a stream, in the format of Anthropic, OpenAI (Responses, Chat) or Gemini. */
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
  const choices = [value.choices, value.candidates].flatMap((list) => (Array.isArray(list) ? list : []))
  const finished = choices.some((one) => isJson(one) && (one.finish_reason ?? one.finishReason))
  if (finished || ends.has(type) || wholes.has(type)) reply.ended = true
  if (choices.length > 0 || wholes.has(type) || /^(message_|response\.)/.test(type)) reply.isModelReply = true
}

/** Returns a provider's usage as tokens; undefined if its format is unknown. */
export function tokensFromUsage(usage: Json): Tokens | undefined {
  if ('promptTokenCount' in usage) return geminiTokens(usage)
  if ('prompt_tokens' in usage) return chatTokens(usage)
  if (!('input_tokens' in usage)) return undefined
  return 'total_tokens' in usage ? responsesTokens(usage) : anthropicTokens(usage)
}

/** Reads Anthropic's usage, which Claude Code also reports: input excludes cache reads and writes; output includes thinking. */
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

/** Reads the usage of both OpenAI formats: sums, with their parts under `_details`. */
function openaiTokens(usage: Json, [input, output]: readonly [string, string]): Tokens {
  const reasoning = numberAt(objectAt(usage, `${output}_details`), 'reasoning_tokens')
  return {
    input: numberAt(usage, input),
    output: numberAt(usage, output),
    cached: numberAt(objectAt(usage, `${input}_details`), 'cached_tokens'),
    ...(reasoning !== null && { reasoning }),
  }
}

/** Reads Gemini's usage: candidates exclude thoughts; a count of 0 may be absent. */
function geminiTokens(usage: Json): Tokens {
  const reasoning = numberAt(usage, 'thoughtsTokenCount')
  return {
    input: numberAt(usage, 'promptTokenCount'),
    output: sum(numberAt(usage, 'candidatesTokenCount') ?? 0, reasoning ?? 0),
    cached: numberAt(usage, 'cachedContentTokenCount') ?? 0,
    ...(reasoning !== null && { reasoning }),
  }
}
