import { isObject } from '../../text/is-object.ts'
import { type Json, objectAt, textAt } from './json.ts'

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
  if (!isObject(value)) return
  const type = textAt(value, 'type') || textAt(value, 'object')
  if (value.error || type === 'error' || type === 'response.failed') reply.failed = true
  const places = [value, objectAt(value, 'message'), objectAt(value, 'response')]
  for (const place of places)
    for (const found of [objectAt(place, 'usage'), objectAt(place, 'usageMetadata')])
      Object.assign(reply.usage, found)
  const choices = [value.choices, value.candidates].flatMap((list) => (Array.isArray(list) ? list : []))
  const finished = choices.some((one) => isObject(one) && (one.finish_reason ?? one.finishReason))
  if (finished || ends.has(type) || wholes.has(type)) reply.ended = true
  if (choices.length > 0 || wholes.has(type) || /^(message_|response\.)/.test(type)) reply.isModelReply = true
}
