import { isObject } from '../../text/is-object.ts'
import { wordOfChoice } from './finish-in.ts'
import { type Json, listAt, objectAt, textAt, textsOf } from './json.ts'

/**
 * Creates a function that mends a part in the format of Chat Completions, and returns nothing for any other. Some servers have the text
 * in another place, and some send a whole message where its delta should be.
 */
export function createChatMender(): (part: Json) => Json[] {
  let hasText = false
  return (part) => {
    const isChunk = Array.isArray(part.choices) || textAt(part, 'object').startsWith('chat.completion')
    if (!isChunk) return []
    const choices = listAt(part, 'choices').map((choice) => {
      const own = deltaOf(objectAt(choice, 'delta'), textAt(choice, 'text'))
      // Some servers repeat in each part the whole message so far, beside its delta.
      const isWhole = !isObject(choice.delta) || (!hasText && Object.keys(own).length === 0)
      const delta = isWhole && isObject(choice.message) ? deltaOf(withIndexes(choice.message)) : own
      hasText ||= Boolean(delta.content)
      // An empty finish reason stands for "not yet".
      return { index: 0, delta, finish_reason: wordOfChoice(choice) || null }
    })
    const created = typeof part.created === 'number' && { created: part.created }
    return [{ ...textsOf(part, 'id', 'model'), ...created, choices }]
  }
}

function deltaOf(said: Json, besides = ''): Json {
  const calls = listAt(said, 'tool_calls').filter((call) => isObject(call.function))
  const { reasoning_details: details } = said
  const content = contentOf(said.content) ?? (textAt(said, 'text') || besides)
  return {
    ...textsOf(said, 'reasoning_content', 'reasoning'),
    ...(Array.isArray(details) && { reasoning_details: details }),
    ...(content !== '' && { content }),
    ...(calls.length > 0 && { tool_calls: calls.map(mendCall) }),
  }
}

/** Returns a text, or a list of texts and of thoughts as Mistral sends them; undefined for nothing of this. */
function contentOf(content: unknown): string | Json[] | undefined {
  if (typeof content === 'string') return content || undefined
  const parts = Array.isArray(content) ? content.filter(isObject) : []
  const known = parts.flatMap(({ text, thinking }): Json[] => {
    if (Array.isArray(thinking)) return [{ type: 'thinking', thinking }]
    return typeof text === 'string' ? [{ type: 'text', text }] : []
  })
  return known.length > 0 ? known : undefined
}

const withIndexes = (message: Json): Json => ({
  ...message,
  tool_calls: listAt(message, 'tool_calls').map((call, index) => ({ index, ...call })),
})

/** Arguments are JSON text; some servers send the value. */
function mendCall(call: Json): Json {
  const called = objectAt(call, 'function')
  const input = isObject(called.arguments) ? JSON.stringify(called.arguments) : called.arguments
  const signature = textsOf(objectAt(call, 'extra_content', 'google'), 'thought_signature')
  return {
    ...(typeof call.index === 'number' && { index: call.index }),
    ...textsOf(call, 'id'),
    function: textsOf({ ...called, arguments: input }, 'name', 'arguments'),
    ...('thought_signature' in signature && { extra_content: { google: signature } }),
  }
}
