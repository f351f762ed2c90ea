import type { Finish } from '../../schema/ledger/step.ts'
import { isObject } from '../../text/is-object.ts'
import { type Json, objectAt, textAt } from './json.ts'

/** What the end of a reply means. `error`: the server broke it off. `other`: it ended for a reason that has no name here. */
export type ReplyEnd = Exclude<Finish, 'thoughts'> | 'error' | 'other'

const words: Readonly<Record<Exclude<ReplyEnd, 'other'>, string>> = {
  stop: 'end_turn stop stop_sequence eos eos_token completed pause_turn',
  length: 'length max_tokens max_output_tokens max_length model_length model_context_window_exceeded',
  'tool-call': 'tool_use tool_calls tool_call function_call',
  refusal:
    'refusal content_filter content_filtered sensitive safety image_safety recitation prohibited_content blocklist spii guardrail_intervened',
  // Of Ollama: it has only loaded or unloaded the model.
  error:
    'error insufficient_system_resource abort aborted network_error unexpected_tool_call too_many_tool_calls missing_thought_signature load unload',
}

/** What vendors call an end, by their words in lower case. */
const ends = new Map(
  (Object.entries(words) as [ReplyEnd, string][]).flatMap(([end, list]) =>
    list.split(' ').map((word) => [word, end] as const),
  ),
)

/**
 * Returns what a vendor's word for the end of a reply means. Letters may be large or small, and an explanation may follow behind a
 * colon, as in `content_filter: RECITATION`.
 */
export function endOfWord(word: string): ReplyEnd {
  const [name = ''] = word.toLowerCase().split(':')
  return ends.get(name.trim()) ?? (fault.test(name) ? 'error' : 'other')
}

/** Words for a reply that was broken off, of servers that are not known. */
const fault =
  /^malformed_|error|fail|time_?d?_?out|abort|overload|unavailable|cancel|interrupt|disconnect|exception|exhausted/

/**
 * Returns the word for the end of a choice of Chat Completions; empty as long as it tells none. OpenRouter says \`stop\` of any end of the
 * server behind it, whose own word says more.
 */
export function wordOfChoice(choice: Json): string {
  const word = textAt(choice, 'finish_reason')
  const native = textAt(choice, 'native_finish_reason')
  const end = endOfWord(native)
  const isPlain = word === '' || endOfWord(word) === 'stop'
  return isPlain && native !== '' && end !== 'stop' && end !== 'other' && end !== 'tool-call' ? native : word
}

/**
 * Returns why a reply ended, from a whole JSON reply or one event of a stream in the format of Anthropic, OpenAI (Responses, Chat) or
 * Gemini; undefined if it does not tell.
 */
export function finishIn(value: unknown): Finish | undefined {
  if (!Array.isArray(value)) return finishInPart(value)
  return value.map(finishInPart).findLast((finish) => finish !== undefined)
}

function finishInPart(value: unknown): Finish | undefined {
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
    wordOfChoice(objectAt(choice)) || textAt(objectAt(choice), 'finishReason'),
    textAt(value, 'stop_reason') || textAt(objectAt(value, 'delta'), 'stop_reason'),
    textAt(objectAt(response, 'incomplete_details'), 'reason') || textAt(response, 'status'),
  ].find(Boolean)
  const end = endOfWord(word ?? '')
  if (end === 'error' || end === 'other') return undefined
  return end === 'stop' && calls.length > 0 ? 'tool-call' : end
}
