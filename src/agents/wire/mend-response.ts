import { type Json, listAt, objectAt, textAt, textsOf } from './json.ts'
import { createResponseItems } from './response-items.ts'

/**
 * Creates a function that mends an event or a whole reply of OpenAI's Responses, and returns nothing for any other. What comes only in a
 * later event (`done` of a text or item, or the response in the last event) is returned as the events that should have come before.
 */
export function createResponseMender(): (part: Json) => Json[] {
  const items = createResponseItems()
  return (part) => {
    const type = textAt(part, 'type') || textAt(part, 'object')
    const { output_index, content_index = 0, summary_index = 0 } = part
    const place = typeof output_index === 'number' ? output_index : 0
    switch (type) {
      case 'response.created':
        return [createdOf(objectAt(part, 'response'))]
      case 'response.output_item.added':
        return items.begin(objectAt(part, 'item'), place)
      case 'response.output_item.done':
        return items.end(objectAt(part, 'item'), place)
      case 'response.output_text.delta':
        return items.say(place, content_index, textAt(part, 'delta'), false)
      case 'response.output_text.done':
        return items.say(place, content_index, textAt(part, 'text'), true)
      case 'response.content_part.done': {
        const { type: kind, text } = objectAt(part, 'part')
        const isText = kind === 'output_text' && typeof text === 'string'
        return isText ? items.say(place, content_index, text, true) : []
      }
      case 'response.function_call_arguments.delta':
        return items.passArguments(place, textAt(part, 'delta'), false)
      case 'response.function_call_arguments.done':
        return items.passArguments(place, textAt(part, 'arguments'), true)
      case 'response.reasoning_summary_part.added':
      case 'response.reasoning_summary_part.done':
      case 'response.reasoning_summary_text.delta': {
        const id = textAt(part, 'item_id')
        const delta = type.endsWith('delta') && { delta: textAt(part, 'delta') }
        return items.hasThoughts(id) ? [{ type, item_id: id, summary_index, ...delta }] : []
      }
      case 'response.completed':
      case 'response.incomplete':
        return finish(objectAt(part, 'response'), type)
      case 'response': {
        const hasEnded = part.status === 'completed' || part.status === 'incomplete'
        return hasEnded ? [createdOf(part), ...finish(part, `response.${part.status}`)] : []
      }
      default:
        return []
    }
  }

  function finish(response: Json, type: string): Json[] {
    const { reason } = objectAt(response, 'incomplete_details')
    const details = typeof reason === 'string' && { incomplete_details: { reason } }
    const output = listAt(response, 'output')
    return [...items.endAll(output), { type, response: { ...details } }]
  }
}

const createdOf = (response: Json): Json => ({
  type: 'response.created',
  response: { id: '', model: '', ...textsOf(response, 'id', 'model'), created_at: 0 },
})
