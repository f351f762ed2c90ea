import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { type StoryPart, words } from './foreign-trial.ts'
import { tokensOf, Usage } from './inspect-sample.ts'
import { shaped } from './read-document.ts'
import { messageText } from './story.ts'

const Message = z.looseObject({
  id: z.string().nullish(),
  role: z.string(),
  content: z.unknown().optional(),
  model: z.string().nullish(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.string(), arguments: z.unknown().optional() }))
    .nullish(),
  tool_call_id: z.string().nullish(),
  function: z.string().nullish(),
  error: z.looseObject({ message: z.string() }).nullish(),
})
type Message = z.infer<typeof Message>

const Event = z.looseObject({
  event: z.string(),
  span_id: z.string().nullish(),
  id: z.string().nullish(),
  name: z.string().nullish(),
  model: z.string().nullish(),
  input: z.array(z.unknown()).nullish(),
  output: z
    .looseObject({
      choices: z.array(z.looseObject({ message: Message })).nullish(),
      usage: Usage.nullish(),
    })
    .nullish(),
})
type Event = z.infer<typeof Event>

const Transcript = z.looseObject({
  messages: z.array(Message).nullish(),
  events: z.array(z.unknown()).nullish(),
  attachments: z.record(z.string(), z.unknown()).nullish(),
})
type Transcript = z.infer<typeof Transcript>

/** A call of a model: what it spent, and the message that came of it. */
interface Call {
  message: Message
  model: string | null
  usage: z.infer<typeof Usage> | undefined
  prompt: string | undefined
  branch: string
}

/**
 * Tells a sample of Inspect AI: its conversation, with what each reply spent, and before the reply that follows them the calls of other agents,
 * of which only the log of events speaks. Throws `UserError` for a sample of another shape.
 */
export function tellSample(value: unknown, where: string): StoryPart[] {
  const { attachments, ...packed } = shaped(Transcript, value, where)
  const { messages: all, events } = unpacked(packed, attachments)
  const messages = all ?? []
  const calls = callsOf((events ?? []).filter(isModelOrSpan))
  const spent = new Map<Message, Call>()
  const others = new Map<Message, StoryPart[]>()
  const own = createMatch(messages)
  let waiting: StoryPart[] = []
  for (const call of calls) {
    const message = own(call.message)
    if (!message) {
      waiting.push(...partsOfCall(call))
      continue
    }
    spent.set(message, call)
    others.set(message, waiting)
    waiting = []
  }
  const parts = messages.flatMap((message) => [
    ...(others.get(message) ?? []),
    partOf(message, spent.get(message)),
  ])
  return [...parts, ...waiting]
}

/** Returns a function that finds the message of the conversation that a call gave, each once: by its id, in older logs by its text. */
function createMatch(messages: readonly Message[]) {
  const textOf = (message: Message) => messageText(message.content)
  const left = new Set(messages.filter(({ role }) => role === 'assistant'))
  const byId = new Map([...left].map((message) => [message.id, message]))
  return (given: Message): Message | undefined => {
    const known = given.id ? byId.get(given.id) : undefined
    const text = textOf(given)
    const found =
      known && left.has(known) ? known : [...left].find((one) => known === undefined && textOf(one) === text)
    if (found) left.delete(found)
    return found
  }
}

const isModelOrSpan = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && (value.event === 'model' || value.event === 'span_begin')

function callsOf(events: readonly unknown[]): Call[] {
  const spans = new Map<string, string>()
  const calls: Call[] = []
  for (const value of events) {
    const { data: event } = Event.safeParse(value)
    if (!event) continue
    if (event.event === 'span_begin' && event.id && event.name) spans.set(event.id, event.name)
    const message = event.output?.choices?.[0]?.message
    if (event.event !== 'model' || !message) continue
    calls.push({
      ...{ message, model: words(event.model), usage: event.output?.usage ?? undefined },
      prompt: lastPrompt(event),
      branch: (spans.get(event.span_id ?? '') ?? 'model').replace(/[/#\s]+/g, '-'),
    })
  }
  return calls
}

function lastPrompt({ input }: Event): string | undefined {
  const last = (input ?? []).findLast((message) => isObject(message) && message.role === 'user')
  return isObject(last) ? messageText(last.content) : undefined
}

const partsOfCall = (call: Call): StoryPart[] => [
  ...(call.prompt ? [{ branch: call.branch, kind: 'user' as const, text: call.prompt }] : []),
  { branch: call.branch, ...partOf(call.message, call) },
]

function partOf(message: Message, call: Call | undefined): StoryPart {
  const text = messageText(message.content)
  if (message.role === 'assistant')
    return {
      ...{ kind: 'reply', text, model: call?.model ?? words(message.model) },
      calls: (message.tool_calls ?? []).map((one) => ({
        ...{ id: one.id, name: one.function },
        arguments: typeof one.arguments === 'string' ? one.arguments : JSON.stringify(one.arguments ?? {}),
      })),
      ...tokensOf(call?.usage ? [call.usage] : []),
    }
  if (message.role !== 'tool') return { kind: message.role === 'system' ? 'system' : 'user', text }
  const { error } = message
  return {
    ...{ kind: 'result', call: message.tool_call_id ?? null, name: message.function ?? null },
    ...{ text: [text, error?.message].filter(Boolean).join('\n'), failed: error != null },
  }
}

/** Returns a value with the long texts that stand apart, and that it only names. */
export function unpacked<Value>(value: Value, attachments: Transcript['attachments']): Value {
  const textOf = (text: string) =>
    text.replace(
      /(?:attachment|tc):\/\/([0-9a-f]{32})/g,
      (name, hash: string) => words(attachments?.[hash]) ?? name,
    )
  const walk = (part: unknown): unknown => {
    if (typeof part === 'string') return textOf(part)
    if (Array.isArray(part)) return part.map(walk)
    return isObject(part)
      ? Object.fromEntries(Object.entries(part).map(([key, one]) => [key, walk(one)]))
      : part
  }
  return attachments && Object.keys(attachments).length > 0 ? (walk(value) as Value) : value
}
