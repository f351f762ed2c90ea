import { isObject } from '../../text/is-object.ts'
import { type Json, objectAt } from './json.ts'

/** Counts that no library refuses. bench reads the real ones off the wire itself. */
const noUsage = { input_tokens: 0, output_tokens: 0 }

/**
 * Returns a part of a reply without its counts, so that a library cannot refuse the reply because of them; the part itself if it has
 * none. Where a library wants counts, there are zeros.
 */
export function withoutCounts(part: unknown): unknown {
  if (!isObject(part)) return part
  if (part.type === 'message_start' && isObject(part.message))
    return { ...part, message: { ...part.message, usage: noUsage } }
  if (part.type === 'message_delta') return { ...part, usage: noUsage }
  if (typeof part.type === 'string' && isObject(part.response) && 'usage' in part.response)
    return { ...part, response: { ...part.response, usage: noUsage } }
  if (!('usage' in part) && !('usageMetadata' in part)) return part
  const { usage: _, usageMetadata: __, ...rest } = part
  return rest
}

/**
 * Returns the events of a whole reply, from a server that does not stream; undefined for any other value, and for other formats than Chat
 * Completions and Gemini, whose streams differ more from their whole replies.
 */
export function eventsOfWhole(reply: unknown): string[] | undefined {
  const parts = Array.isArray(reply) ? reply : [reply]
  if (parts.length === 0 || !parts.every(isObject)) return undefined
  if (parts.every(({ candidates }) => Array.isArray(candidates)))
    return parts.map((part) => JSON.stringify(withoutCounts(part)))
  const [whole = {}] = parts
  if (parts.length > 1 || !Array.isArray(whole.choices)) return undefined
  const choices = whole.choices.filter(isObject)
  const [{ finish_reason: finish = undefined } = {}] = choices
  if (typeof finish !== 'string' || !isObject(choices[0]?.message)) return undefined
  const chunk = {
    ...(withoutCounts(whole) as Json),
    object: 'chat.completion.chunk',
    choices: choices.map(chunked),
  }
  return [JSON.stringify(chunk), '[DONE]']
}

function chunked(choice: Json): Json {
  const { message, ...rest } = choice
  const said = objectAt(choice, 'message')
  const calls = Array.isArray(said.tool_calls) ? said.tool_calls.filter(isObject) : undefined
  const delta = { ...said, ...(calls && { tool_calls: calls.map((call, index) => ({ index, ...call })) }) }
  return { ...rest, delta }
}
