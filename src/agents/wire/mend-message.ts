import { isObject } from '../../text/is-object.ts'
import { wordOfChoice } from './finish-in.ts'
import { type Json, listAt, objectAt, textAt, textsOf } from './json.ts'

const usage = { input_tokens: 0, output_tokens: 0 }

/** The kinds of deltas, by the field that holds their text. */
const deltas: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
  input_json_delta: 'partial_json',
}

/** Creates a function that mends an event or a whole reply in the format of Anthropic, and returns nothing for any other. */
export function createMessageMender(): (part: Json) => Json[] {
  /** The blocks that are left out. */
  const skipped = new Set<unknown>()
  return (part) => {
    const { type, index = 0 } = part
    switch (type) {
      case 'message':
        return eventsOfMessage(part)
      case 'message_start':
        return [startOf(objectAt(part, 'message'))]
      case 'content_block_start': {
        const block = mendBlock(objectAt(part, 'content_block'), index)
        if (block.length === 0) skipped.add(index)
        else skipped.delete(index)
        return block
      }
      case 'content_block_delta': {
        const delta = objectAt(part, 'delta')
        const kind = textAt(delta, 'type')
        const said = textsOf(delta, deltas[kind] ?? '')
        const isKnown = Object.keys(said).length > 0 && !skipped.has(index)
        return isKnown ? [{ type, index, delta: { type: kind, ...said } }] : []
      }
      case 'content_block_stop':
        return skipped.has(index) ? [] : [{ type, index }]
      case 'message_delta':
        return [{ type, delta: textsOf(objectAt(part, 'delta'), 'stop_reason', 'stop_sequence'), usage }]
      case 'message_stop':
        return [{ type }]
      default:
        return []
    }
  }
}

const startOf = (message: Json): Json => ({
  type: 'message_start',
  message: { ...textsOf(message, 'id', 'model'), role: 'assistant', usage },
})

function eventsOfMessage(whole: Json): Json[] {
  if (textAt(whole, 'stop_reason') === '') return []
  const blocks = listAt(whole, 'content').flatMap((block, index) => {
    // Here calls have all their input; in a stream deltas may follow.
    const begun = mendBlock(block, index)
    return begun.length > 0 ? [...begun, { type: 'content_block_stop', index }] : []
  })
  const delta = textsOf(whole, 'stop_reason', 'stop_sequence')
  return [startOf(whole), ...blocks, { type: 'message_delta', delta, usage }, { type: 'message_stop' }]
}

/** Returns the start of a block, which is empty but for a call's input, and what it holds as deltas. */
function mendBlock(block: Json, index: unknown): Json[] {
  const { type, input } = block
  const start = (content_block: Json) => ({ type: 'content_block_start', index, content_block })
  const said = (kind: string) => {
    const text = textAt(block, deltas[kind] as string)
    const delta = { type: kind, [deltas[kind] as string]: text }
    return text === '' ? [] : [{ type: 'content_block_delta', index, delta }]
  }
  switch (type) {
    case 'text':
      return [start({ type, text: '' }), ...said('text_delta')]
    case 'thinking':
      return [start({ type, thinking: '' }), ...said('thinking_delta'), ...said('signature_delta')]
    case 'redacted_thinking':
      return [start({ type, data: textAt(block, 'data') })]
    case 'tool_use': {
      const named = { id: '', name: '', ...textsOf(block, 'id', 'name') }
      return [start({ type, ...named, ...(isObject(input) && { input }) })]
    }
    default:
      return []
  }
}

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
