import { isObject } from '../../text/is-object.ts'
import { type Json, listAt, objectAt, textAt } from './json.ts'

/** What a reply holds: an answer, calls of tools, or thoughts. */
export type Content = 'text' | 'call' | 'thought'

/** Returns what a whole reply, or one event of a stream, holds in the format of Anthropic, OpenAI (Responses, Chat) or Gemini. */
export function saidIn(value: Json): Content[] {
  const response = value.object === 'response' ? value : objectAt(value, 'response')
  const items = [...listAt(response, 'output'), objectAt(value, 'item')]
  const choices = [...listAt(value, 'choices'), ...listAt(value, 'candidates')]
  const places = [
    ...[value.delta, value.content_block, value.part, ...listAt(value, 'content')],
    ...items.flatMap((item) => [item, ...listAt(item, 'content'), ...listAt(item, 'summary')]),
    ...choices.flatMap((choice) => [choice, choice.delta, choice.message]),
    ...choices.flatMap((choice) => [choice.content, choice.delta, choice.message].flatMap(piecesOf)),
  ]
  // Responses has the text of a delta in the event itself.
  const said = typeof value.delta === 'string' ? contentOf({ ...value, text: value.delta }) : []
  return [...said, ...places.filter(isObject).flatMap(contentOf)]
}

const piecesOf = (message: unknown): Json[] =>
  isObject(message) ? [...listAt(message, 'parts'), ...listAt(message, 'content')] : []

function contentOf(piece: Json): Content[] {
  const type = textAt(piece, 'type')
  const calls = [piece.functionCall, piece.tool_calls]
  if (calls.some((call) => isObject(call) || (Array.isArray(call) && call.length > 0))) return ['call']
  if (/^(?:tool_use|function_call|custom_tool_call)$|function_call_arguments/.test(type)) return ['call']
  const thoughts = ['thinking', 'reasoning', 'reasoning_content'].some((field) => textAt(piece, field) !== '')
  const text = textAt(piece, 'text') || textAt(piece, 'content')
  const isThought = piece.thought === true || /reasoning|summary|thinking/.test(type)
  return [
    ...(thoughts || (isThought && text !== '') ? (['thought'] as const) : []),
    ...(!isThought && text.trim() !== '' ? (['text'] as const) : []),
  ]
}
