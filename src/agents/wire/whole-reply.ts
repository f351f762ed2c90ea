import { isObject } from '../../text/is-object.ts'
import { type Json, objectAt, textAt } from './json.ts'
import { mendedPart, noUsage } from './mend-part.ts'

/**
 * Returns the events of a whole reply, from a server that streams nothing; undefined for anything else. Chat Completions and Gemini have in
 * a stream what they have in a whole reply; Anthropic and Responses have an event for each step.
 */
export function eventsOfWhole(reply: unknown): string[] | undefined {
  const parts = Array.isArray(reply) ? reply : [reply]
  if (parts.length === 0 || !parts.every(isObject)) return undefined
  if (parts.every(({ candidates }) => Array.isArray(candidates)))
    return parts.map((part) => JSON.stringify(mendedPart(part)))
  const [whole = {}] = parts
  if (parts.length > 1) return undefined
  if (Array.isArray(whole.choices)) return eventsOfChat(whole, whole.choices.filter(isObject))
  const events = isMessage(whole)
    ? eventsOfMessage(whole)
    : isResponse(whole)
      ? eventsOfResponse(whole)
      : undefined
  return events?.map((event) => JSON.stringify(event))
}

function eventsOfChat(whole: Json, choices: readonly Json[]): string[] | undefined {
  const [{ finish_reason: finish = undefined } = {}] = choices
  if (typeof finish !== 'string' || !isObject(choices[0]?.message)) return undefined
  const chunk = {
    ...(mendedPart(whole) as Json),
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

const isMessage = ({ type, content, stop_reason }: Json) =>
  type === 'message' && Array.isArray(content) && typeof stop_reason === 'string'

function eventsOfMessage(whole: Json): Json[] {
  const { stop_reason, stop_sequence = null, stop_details } = whole
  const message = { ...whole, content: [], stop_reason: null, usage: noUsage }
  const delta = { stop_reason, stop_sequence, ...(stop_details !== undefined && { stop_details }) }
  return [
    { type: 'message_start', message },
    ...listOf(whole.content).flatMap(eventsOfBlock),
    { type: 'message_delta', delta, usage: noUsage },
    { type: 'message_stop' },
  ]
}

/** A block begins empty, and gets what it holds by deltas. */
function eventsOfBlock(block: Json, index: number): Json[] {
  const [content_block, deltas] = stepsOfBlock(block)
  return [
    { type: 'content_block_start', index, content_block },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

function stepsOfBlock(block: Json): [Json, Json[]] {
  if (block.type === 'text')
    return [{ type: 'text', text: '' }, [{ type: 'text_delta', text: textAt(block, 'text') }]]
  if (block.type === 'thinking') {
    const signature = textAt(block, 'signature')
    const thought = { type: 'thinking_delta', thinking: textAt(block, 'thinking') }
    return [
      { type: 'thinking', thinking: '' },
      signature === '' ? [thought] : [thought, { type: 'signature_delta', signature }],
    ]
  }
  if (block.type === 'tool_use')
    return [
      { ...block, input: {} },
      [{ type: 'input_json_delta', partial_json: JSON.stringify(block.input ?? {}) }],
    ]
  return [block, []]
}

const isResponse = ({ object, output, status }: Json) =>
  object === 'response' && Array.isArray(output) && (status === 'completed' || status === 'incomplete')

function eventsOfResponse(whole: Json): Json[] {
  const { id = '', model = '', created_at = 0, status } = whole
  const response = { ...whole, output: [], usage: noUsage }
  return [
    { type: 'response.created', response: { id, model, created_at } },
    ...listOf(whole.output).flatMap(eventsOfItem),
    { type: `response.${status}`, response },
  ]
}

function eventsOfItem(given: Json, output_index: number): Json[] {
  const item = { ...given, id: textAt(given, 'id') || `item_${output_index}` }
  const place = { item_id: item.id, output_index }
  const added = (more: Json = {}) => ({
    type: 'response.output_item.added',
    output_index,
    item: { ...item, ...more },
  })
  const done = { type: 'response.output_item.done', output_index, item }
  if (given.type === 'function_call') {
    const delta = {
      type: 'response.function_call_arguments.delta',
      ...place,
      delta: textAt(given, 'arguments'),
    }
    return [added({ arguments: '' }), delta, { ...done, item: { status: 'completed', ...item } }]
  }
  const texts = listOf(given.content).flatMap((part, content_index) =>
    part.type === 'output_text'
      ? [{ type: 'response.output_text.delta', ...place, content_index, delta: textAt(part, 'text') }]
      : [],
  )
  const thoughts = listOf(given.summary).flatMap((part, summary_index) => [
    { type: 'response.reasoning_summary_part.added', ...place, summary_index },
    { type: 'response.reasoning_summary_text.delta', ...place, summary_index, delta: textAt(part, 'text') },
  ])
  return [added(), ...texts, ...thoughts, done]
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
