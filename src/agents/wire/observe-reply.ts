import { isObject } from '../../text/is-object.ts'
import { endOfWord, wordOfChoice } from './finish-in.ts'
import { type Json, listAt, objectAt, textAt } from './json.ts'

/** What has been read so far of a provider's reply. */
export interface ObservedReply {
  /** The provider's own usage fields; later values replace earlier ones. Empty until usage is reported. */
  usage: Json
  /** The shape is that of a model's reply, not of a list or a count. */
  isModelReply: boolean
  /** The model that answered, as the reply names it; empty until it does. */
  model: string
  /** The reply has been marked as complete. */
  ended: boolean
  /** Choices had an empty text in place of a finish reason, as from servers that never tell one. */
  hasBlankReason: boolean
  /** The reply contains an error. */
  failed: boolean
  /** The first part with an error, as it came. */
  error: unknown
  /** The text with which the model, or a filter around it, refused; empty if it did not say. */
  refusal: string
  /** Part of the reply could not be parsed. */
  unreadable: boolean
  /** What came of the reply. */
  said: Set<Content>
  /** The word with which the server, or one behind it, says that it broke the reply off; undefined if it does not. */
  breakWord: string | undefined
  /** The word of a server behind this one for an end that has no name here. With nothing said, it is one for an outage. */
  oddWord: string | undefined
}

/** Returns a reply of which nothing has been read yet. */
export const newObservedReply = (): ObservedReply => ({
  usage: {},
  isModelReply: false,
  model: '',
  ended: false,
  hasBlankReason: false,
  failed: false,
  error: undefined,
  refusal: '',
  unreadable: false,
  said: new Set(),
  breakWord: undefined,
  oddWord: undefined,
})

const ends = new Set(['message_stop', 'response.completed', 'response.incomplete'])
const wholes = new Set(['message', 'response', 'chat.completion'])

/** Adds a whole JSON reply, or one event of a stream, in the format of Anthropic, OpenAI (Responses, Chat) or Gemini. */
export function observePart(reply: ObservedReply, value: unknown): void {
  for (const part of Array.isArray(value) ? value : [value]) if (isObject(part)) observeObject(reply, part)
}

function observeObject(reply: ObservedReply, value: Json): void {
  const type = textAt(value, 'type') || textAt(value, 'object')
  const error = errorIn(value, type)
  if (error !== undefined) addError(reply, error)
  const choices = [value.choices, value.candidates].flatMap((list) =>
    Array.isArray(list) ? list.filter(isObject) : [],
  )
  // Moonshot has its usage in the choice, and Groq in a part of its own.
  const places = [value, objectAt(value, 'message'), objectAt(value, 'response'), objectAt(value, 'x_groq')]
  for (const place of [...places, ...choices.slice(0, 1)])
    for (const found of [objectAt(place, 'usage'), objectAt(place, 'usageMetadata')])
      addUsage(reply.usage, found)
  reply.model ||= modelIn(value, places).slice(0, longestName)
  addRefusal(reply, value, choices, type)
  addWords(reply, choices)
  for (const kind of saidIn(value)) reply.said.add(kind)
  if (choices.some(hasBlankReason)) reply.hasBlankReason = true
  const finished = choices.some((one) => one.finish_reason || one.finishReason)
  if (finished || ends.has(type) || wholes.has(type)) reply.ended = true
  if (choices.length > 0 || wholes.has(type) || /^(message_|response\.)/.test(type)) reply.isModelReply = true
}

const longestName = 200

const modelIn = (value: Json, places: readonly Json[]) =>
  textAt(value, 'modelVersion') || (places.map((place) => textAt(place, 'model')).find(Boolean) ?? '')

const hasBlankReason = (choice: Json): boolean => choice.finish_reason === ''

function addWords(reply: ObservedReply, choices: readonly Json[]): void {
  const [choice = {}] = choices
  const word = wordOfChoice(choice) || textAt(choice, 'finishReason')
  if (endOfWord(word) === 'error') reply.breakWord = word
  const native = textAt(choice, 'native_finish_reason')
  if (native !== '' && endOfWord(native) === 'other') reply.oddWord = native
}

/** Returns the word by which a reply that ended well, by its form, was broken off; undefined for a whole one. */
export const breakOf = ({ breakWord, oddWord, said }: ObservedReply): string | undefined =>
  breakWord ?? (said.has('text') || said.has('call') ? undefined : oddWord)

function addError(reply: ObservedReply, error: unknown): void {
  reply.failed = true
  reply.error ??= error
}

/** A null stands for "not yet", and takes no earlier count away; nor does a 0, since counts of a reply only grow. */
function addUsage(usage: Json, found: Json): void {
  for (const [field, value] of Object.entries(found)) {
    const known = usage[field]
    if (isObject(known) && isObject(value)) usage[field] = { ...known, ...told(known, value) }
    else if (!(field in usage) || isTold(known, value)) usage[field] = value
  }
}

const isTold = (known: unknown, value: unknown) =>
  value !== null && value !== undefined && !(value === 0 && typeof known === 'number' && known > 0)

const told = (known: Json, found: Json) =>
  Object.fromEntries(Object.entries(found).filter(([field, value]) => isTold(known[field], value)))

/** Adds the refusal of a model of OpenAI or Anthropic, or the reason why Gemini blocked the prompt. */
function addRefusal(reply: ObservedReply, value: Json, choices: readonly Json[], type: string): void {
  const [choice = {}] = choices
  reply.refusal +=
    textAt(objectAt(choice, 'delta'), 'refusal') || textAt(objectAt(choice, 'message'), 'refusal')
  if (type === 'response.refusal.delta') reply.refusal += textAt(value, 'delta')
  const whole = type === 'response' ? value : objectAt(value, 'response')
  if (reply.refusal === '') reply.refusal = refusalOfWhole(whole)
  reply.refusal +=
    textAt(objectAt(value, 'delta', 'stop_details'), 'explanation') ||
    textAt(objectAt(value, 'stop_details'), 'explanation')
  const blocked = textAt(objectAt(value, 'promptFeedback'), 'blockReason')
  if (blocked === '') return
  reply.refusal ||= `the prompt was blocked: ${blocked}`
  reply.ended = true
  reply.isModelReply = true
}

function refusalOfWhole({ output }: Json): string {
  const items = Array.isArray(output) ? output.filter(isObject) : []
  const parts = items.flatMap(({ content }) => (Array.isArray(content) ? content.filter(isObject) : []))
  return parts.map((part) => textAt(part, 'refusal')).join('')
}

type Content = 'text' | 'call' | 'thought'

function saidIn(value: Json): Content[] {
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

const isNothing = (value: unknown) =>
  value === undefined || value === null || value === '' || value === false || value === 0

/** Whether the field of an error tells no error: null, an empty text, or an object without a word or code. */
export const isNoError = (error: unknown): boolean =>
  isNothing(error) || (isObject(error) && Object.values(error).every(isNothing))

/** Returns the error in a part of a reply, in a place of any vendor; undefined without an error. */
export function errorIn(value: Json, type: string): unknown {
  if (type === 'response.failed') return value.response ?? value
  if (!isNoError(value.error) || type === 'error' || value.object === 'error') return value
  const choices = Array.isArray(value.choices) ? value.choices : undefined
  // OpenRouter has the error of the server behind it in the choice.
  const choice: unknown = choices?.find((one) => isObject(one) && !isNoError(one.error))
  if (isObject(choice)) return choice.error
  const { base_resp: said } = value
  // MiniMax sends a status with every reply; 0 is success.
  if (isObject(said) && !isNothing(said.status_code)) return said
  return textAt(value, 'error_message') !== '' && !choices ? value : undefined
}
