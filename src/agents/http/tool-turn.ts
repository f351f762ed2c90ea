import type {
  JSONObject,
  LanguageModelV3CallOptions,
  LanguageModelV3Message,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { wellFormed } from '../../replies/clean-data.ts'
import type { ToolCall } from '../../schema/tool/tool-call.ts'
import type { ToolDefinition } from '../../schema/tool/tool-set.ts'
import { isObject } from '../../text/is-object.ts'
import type { AgentReply, RequestTools, ToolTurn } from '../agent.ts'
import type { Family } from './family.ts'
import type { ReplyCall, ReplyPart } from './stream-parts.ts'

/** Returns the turns of an ask as messages: what the model said and called, then the results. */
export const transcriptOf = ({ turns }: RequestTools): LanguageModelV3Message[] =>
  turns.flatMap((turn) => wellFormed([saidIn(turn), ...resultsOf(turn)]))

function saidIn({ text, calls, message }: ToolTurn): LanguageModelV3Message {
  const { content, beside } = (message?.[0] ?? {}) as TurnMessage
  const said = isBlank(text) ? [] : [{ type: 'text' as const, text }]
  return {
    role: 'assistant',
    content: content ?? [...said, ...calls.map(callPart)],
    // Only the library for Chat Completions has such fields.
    ...(beside && { providerOptions: { openaiCompatible: beside as JSONObject } }),
  }
}

function resultsOf({ results }: ToolTurn): LanguageModelV3Message[] {
  if (results.length === 0) return []
  const content = results.map(({ id, name, text, isError }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: callName(name),
    output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
  }))
  return [{ role: 'tool', content }]
}

/**
 * Returns the tools as call options. In the last turn the definitions are sent as well: vendors refuse calls in the history without
 * them.
 */
export function toolOptions(
  { definitions, mustAnswer }: RequestTools,
  { strictTools }: Pick<Family, 'strictTools'>,
): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  return {
    tools: definitions.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: sentSchema(inputSchema),
      ...(strictTools !== undefined && { strict: strictTools }),
    })),
    ...(mustAnswer && { toolChoice: { type: 'none' } }),
  }
}

/**
 * Returns the schema of a tool's arguments as it is sent. OpenAI refuses an object without `properties`, as MCP servers describe tools
 * that need no arguments.
 */
export const sentSchema = (schema: ToolDefinition['inputSchema']): ToolDefinition['inputSchema'] => ({
  type: 'object',
  properties: {},
  ...schema,
})

interface CallingReply {
  parts: readonly ReplyPart[]
  /** It ended at the output limit. */
  isCut: boolean
  /** Ids that the server gave, where the library makes ids for calls without one; absent: all ids are the server's. */
  givenIds?: ReadonlySet<string> | undefined
  /** Fields that go back beside the parts. */
  beside?: Readonly<Record<string, unknown>> | undefined
}

interface TurnMessage {
  /** The parts of the model's message, where they hold more than its text and calls. */
  content?: Content[]
  /** Fields beside them. */
  beside?: Readonly<Record<string, unknown>>
}

type Content = Extract<LanguageModelV3Message, { role: 'assistant' }>['content'][number]

/**
 * Returns the calls of a reply, in its order, and the message that goes back to the provider. There is a message only where it holds
 * more than the text and the calls.
 */
export function toolTurnOf(
  reply: CallingReply,
  { turns }: Pick<RequestTools, 'turns'>,
): Pick<AgentReply, 'toolCalls' | 'message'> {
  const calls = reply.parts.filter((part) => part.type === 'call')
  if (calls.length === 0) return {}
  const nameId = idMaker(turns, reply.givenIds)
  const toolCalls = calls.map((call, i) => ({
    id: nameId(call, i),
    name: call.name,
    ...argumentsOf(call, reply.isCut && i === calls.length - 1),
  }))
  const message = messageOf(reply, toolCalls)
  return { toolCalls, ...(message && { message: [{ ...message }] }) }
}

/**
 * Returns the call's arguments; `{}` for none. The last call of a reply that was cut is cut as well, unless its arguments are whole.
 * Cut before any of them, it gets an open brace, which is no JSON: nobody knows what the model was about to write.
 */
function argumentsOf(
  { arguments: text, hasArguments }: ReplyCall,
  isLastOfCut: boolean,
): Pick<ToolCall, 'arguments' | 'isCut'> {
  if (isLastOfCut && (!hasArguments || !isJson(text)))
    return { arguments: hasArguments ? text : '{', isCut: true }
  return { arguments: isBlank(text) ? '{}' : text }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/**
 * Returns a function that gives each call an id that is unique in its ask: the server's, or one made of its place. Gemini and Ollama
 * may give none, and some servers begin anew in each turn.
 */
function idMaker(turns: RequestTools['turns'], givenIds?: ReadonlySet<string>) {
  const taken = new Set(turns.flatMap(({ calls }) => calls.map(({ id }) => id)))
  return ({ id }: ReplyCall, i: number): string => {
    const isGiven = id !== undefined && id.trim() !== '' && (givenIds?.has(id) ?? true)
    const base = isGiven ? id : `call_${turns.length + 1}_${i + 1}`
    let free = base
    for (let n = 2; taken.has(free); n++) free = `${base}_${n}`
    taken.add(free)
    return free
  }
}

function messageOf({ parts, beside }: CallingReply, calls: readonly ToolCall[]): TurnMessage | undefined {
  let next = 0
  const content = parts.flatMap((part): Content[] => {
    const providerOptions = part.metadata && { providerOptions: optionsOf(part.metadata) }
    if (part.type === 'call') return [{ ...callPart(calls[next++] as ToolCall), ...providerOptions }]
    // Reasoning goes back only with the provider's signature, or beside the parts.
    if (part.type === 'reasoning' && !part.metadata) return []
    if (part.type === 'text' && isBlank(part.text)) return []
    return [{ type: part.type, text: part.text, ...providerOptions }]
  })
  const isPlain =
    content.length - calls.length <= 1 &&
    content.every(({ providerOptions }) => providerOptions === undefined)
  if (isPlain && !beside) return undefined
  // The journal holds JSON: absent values must be absent.
  return JSON.parse(JSON.stringify({ content: isPlain ? undefined : content, beside })) as TurnMessage
}

/**
 * Returns what came with a part as what goes back with it. The library for Chat Completions takes Gemini's signature back under
 * Google's name alone.
 */
function optionsOf(metadata: SharedV3ProviderOptions): SharedV3ProviderOptions {
  const signature = Object.values(metadata).find(({ thoughtSignature }) => thoughtSignature !== undefined)
  if (!signature || metadata.google) return metadata
  return { ...metadata, google: { thoughtSignature: signature.thoughtSignature as string } }
}

/** Whether a text is left out of a message. Models write line ends before a call, and Anthropic refuses blank texts. */
const isBlank = (text: string): boolean => text.trim() === ''

const callPart = ({ id, name, arguments: text }: ToolCall) =>
  ({ type: 'tool-call', toolCallId: id, toolName: callName(name), input: callInput(text) }) as const

/** More levels than any tool needs. What walks through a value, as JSON does, would use up its stack far behind them. */
const deepest = 100

/**
 * Returns the arguments of a call as an object, since vendors take nothing else back. Text that is not a JSON object is under the
 * key `INVALID_JSON`, as Anthropic recommends, so that the model sees what it wrote.
 */
export function callInput(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value) && !isDeeper(value, deepest)) return value as Record<string, unknown>
  } catch {
    // The tool's step says that the arguments are invalid.
  }
  return { INVALID_JSON: text }
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1)))

/**
 * Returns the name of a call as it goes back. Vendors refuse a history with other names than tools may have, and a model may call
 * what is no tool, such as `functions.read`.
 */
export function callName(name: string): string {
  if (/^[a-zA-Z0-9_-]{1,64}$/.test(name)) return name
  return `_${name.replace(/[^a-zA-Z0-9_-]/g, '_')}`.slice(0, 64)
}
