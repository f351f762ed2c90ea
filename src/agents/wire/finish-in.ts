import type { Finish } from '../../schema/ledger/finish.ts'
import { isObject } from '../../text/is-object.ts'
import { objectAt, textAt } from './json.ts'

/** Reasons of all vendors: Anthropic, OpenAI (Responses, Chat Completions) and Gemini, in lower case. */
const finishes: Readonly<Record<string, Finish>> = {
  end_turn: 'stop',
  stop: 'stop',
  stop_sequence: 'stop',
  eos: 'stop',
  completed: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  length: 'length',
  max_output_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-call',
  tool_calls: 'tool-call',
  function_call: 'tool-call',
  refusal: 'refusal',
  content_filter: 'refusal',
  safety: 'refusal',
  recitation: 'refusal',
  prohibited_content: 'refusal',
  blocklist: 'refusal',
  spii: 'refusal',
}

/**
 * Returns why a reply ended, from a whole JSON reply or one event of a stream in the format of Anthropic, OpenAI (Responses, Chat) or
 * Gemini; undefined if it does not tell.
 */
export function finishIn(value: unknown): Finish | undefined {
  if (Array.isArray(value)) return value.map(finishIn).findLast((finish) => finish !== undefined)
  if (!isObject(value)) return undefined
  if (textAt(objectAt(value, 'promptFeedback'), 'blockReason')) return 'refusal'
  const [choice] = [value.choices, value.candidates].flatMap((list) => (Array.isArray(list) ? list : []))
  const response = value.object === 'response' ? value : objectAt(value, 'response')
  const calls = [response.output, objectAt(choice, 'content').parts].flatMap((list) =>
    Array.isArray(list)
      ? list.filter((one) => isObject(one) && (one.type === 'function_call' || one.functionCall))
      : [],
  )
  const word = [
    textAt(objectAt(choice), 'finish_reason') || textAt(objectAt(choice), 'finishReason'),
    textAt(value, 'stop_reason') || textAt(objectAt(value, 'delta'), 'stop_reason'),
    textAt(objectAt(response, 'incomplete_details'), 'reason') || textAt(response, 'status'),
  ].find(Boolean)
  const finish = finishes[(word ?? '').toLowerCase()]
  return finish === 'stop' && calls.length > 0 ? 'tool-call' : finish
}
