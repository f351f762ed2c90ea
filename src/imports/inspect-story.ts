import { z } from 'zod'
import { isObject } from '../text/is-object.ts'
import { type ForeignTrial, noTokens, type StoryPart, words } from './foreign-trial.ts'
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

/** What a model used, as Inspect AI writes it. */
export const Usage = z.looseObject({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  total_tokens: z.number().nullish(),
  input_tokens_cache_read: z.number().nullish(),
  input_tokens_cache_write: z.number().nullish(),
  total_cost: z.number().nullish(),
})
type Usage = z.infer<typeof Usage>

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

/** A call of a model: what it spent, and the message that came of it. */
interface Call {
  message: Message
  model: string | null
  usage: Usage | undefined
  prompt: string | undefined
  branch: string
}

/**
 * Tells a sample of Inspect AI: its conversation, with what each reply spent, and before the reply that follows them the calls of other agents,
 * of which only the log of events speaks. Throws `UserError` for a sample of another shape.
 */
export function tellSample(value: unknown, where: string): StoryPart[] {
  const { messages: all, events, attachments } = shaped(Transcript, value, where)
  const messages = all ?? []
  const calls = callsOf((events ?? []).filter(isModelOrSpan))
  const textOf = (message: Message) => withAttachments(messageText(message.content), attachments ?? {})
  const spent = new Map<Message, Call>()
  const others = new Map<Message, StoryPart[]>()
  const own = createMatch(messages, textOf)
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
  return [...parts, ...waiting].map((part) => ({
    ...part,
    text: withAttachments(part.text, attachments ?? {}),
  }))
}

/** Returns a function that finds the message of the conversation that a call gave, each once: by its id, in older logs by its text. */
function createMatch(messages: readonly Message[], textOf: (message: Message) => string) {
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

/** Long texts stand apart, in place of which messages name them. */
const withAttachments = (text: string, attachments: Readonly<Record<string, unknown>>): string =>
  text.replace(
    /(?:attachment|tc):\/\/([0-9a-f]{32})/g,
    (name, hash: string) => words(attachments[hash]) ?? name,
  )

/** Returns the sums over models. Some providers count cache reads and writes beside the input, as the total tells. */
export function tokensOf(all: readonly Usage[]): Pick<ForeignTrial, 'tokens' | 'costUsd'> {
  if (all.length === 0) return { tokens: noTokens, costUsd: null }
  const sum = (of: (one: Usage) => number | null | undefined) =>
    all.reduce<number | null>((total, one) => {
      const value = of(one)
      return total === null || typeof value !== 'number' ? null : total + value
    }, 0)
  const written = sum((one) => one.input_tokens_cache_write)
  return {
    tokens: {
      input: sum((one) =>
        typeof one.input_tokens === 'number' && isBeside(one)
          ? one.input_tokens + cacheOf(one)
          : one.input_tokens,
      ),
      output: sum((one) => one.output_tokens),
      cached: sum((one) => one.input_tokens_cache_read),
      ...(written !== null && { cacheWrite: written }),
    },
    costUsd: sum((one) => one.total_cost),
  }
}

const cacheOf = (one: Usage) => (one.input_tokens_cache_read ?? 0) + (one.input_tokens_cache_write ?? 0)

const isBeside = ({ input_tokens: input, output_tokens: output, total_tokens: total, ...one }: Usage) =>
  total === (input ?? 0) + (output ?? 0) + cacheOf(one)
