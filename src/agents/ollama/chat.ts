import { wellFormed } from '../../replies/clean-data.ts'
import type { ModelSetting } from '../../schema/agent/agent-settings.ts'
import { isObject } from '../../text/is-object.ts'
import type { RequestTools, ToolTurn } from '../agent.ts'
import type { Message } from '../conversation.ts'
import { onSameServer } from '../http/address.ts'
import { emptyReply, type StreamedReply, streamEnded } from '../http/call-model.ts'
import type { ReplyCall, ReplyPart } from '../http/stream-parts.ts'
import { callInput, callName, sentSchema } from '../http/tool-turn.ts'
import { endOfWord } from '../wire/finish-in.ts'
import { type Json, objectAt, parseJson, textAt } from '../wire/json.ts'
import { isNoError } from '../wire/observe-reply.ts'
import { limitedBody, loadPatientFetch } from '../wire/patient-fetch.ts'

interface ChatCall {
  model: string
  messages: readonly Message[]
  /** Context size in tokens. Ollama's own default is small, and it would silently cut longer prompts. */
  context: number
  maxOutput: number | undefined
  tools: RequestTools | undefined
  /** What the agent asks of the model beside the prompt. */
  setting?: ModelSetting | undefined
  /** JSON Schema that the server holds the reply to. */
  format: Readonly<Record<string, unknown>> | undefined
}

/** Sends one question and reads the stream to the end. Never rejects. */
export async function chat(address: string, call: ChatCall, signal: AbortSignal): Promise<StreamedReply> {
  const { model, messages, context, maxOutput, tools, format, setting } = call
  const reply: ChatReply = { ...emptyReply(), parts: [] }
  try {
    const response = await onSameServer(await loadPatientFetch())(`${address}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        model,
        messages: [
          ...messages.map(({ role, text }) => ({ role, content: text })),
          ...(tools ? turnsOf(tools) : []),
        ],
        ...(tools && toolsOf(tools)),
        ...(format && { format }),
        stream: true,
        // With these, servers that support them refuse a prompt that is too long, and end a reply that is, instead of dropping text.
        truncate: false,
        shift: false,
        ...settingFields(setting, {
          num_ctx: context,
          ...(maxOutput !== undefined && { num_predict: maxOutput }),
        }),
      }),
      signal,
    })
    reply.wire.status = response.status
    reply.wire.contentType = response.headers.get('content-type') ?? ''
    if (!response.ok) throw await statusError(response)
    if (!response.body) throw streamEnded
    for await (const line of linesOf(response.body)) addLine(reply, line)
    if (!reply.finish) reply.error ??= streamEnded
  } catch (error) {
    // A connection may break behind the last line.
    if (!reply.wire.ended) reply.error ??= error
  }
  return reply
}

function settingFields(
  { temperature, seed, reasoning, providerOptions: { options, ...others } = {} }: ModelSetting = {},
  own: Readonly<Record<string, number>>,
): Readonly<Record<string, unknown>> {
  return {
    ...(reasoning !== undefined && { think: reasoning === 'none' ? false : reasoning }),
    ...others,
    options: {
      ...own,
      ...(temperature !== undefined && { temperature }),
      ...(seed !== undefined && { seed }),
      ...(isObject(options) && options),
    },
  }
}

type ChatReply = StreamedReply & { parts: ReplyPart[] }

function addLine(reply: ChatReply, text: string): void {
  const { wire } = reply
  let line: Json
  try {
    const value = parseJson(text)
    if (!isObject(value)) return
    line = value
  } catch (error) {
    if (wire.parts === 0) wire.head ||= text
    wire.unreadable = true
    reply.error ??= {
      name: 'JSONParseError',
      message: `a line of its reply is no JSON: ${(error as Error).message}`,
    }
    return
  }
  if (!isNoError(line.error)) {
    wire.failed = true
    wire.error ??= line
  } else if (line.message === undefined && line.done === undefined) {
    // JSON of another format, such as that of another server.
    wire.head ||= text
    return
  }
  wire.parts++
  const message = objectAt(line, 'message')
  const thinking = textAt(message, 'thinking')
  reply.text += textAt(message, 'content')
  if (thinking) reply.beside = { thinking: `${reply.beside?.thinking ?? ''}${thinking}` }
  reply.parts.push(...callsIn(message.tool_calls))
  reply.model ??= textAt(line, 'model') || undefined
  if (!line.done) return
  wire.ended = true
  reply.end = textAt(line, 'done_reason')
  // Old servers tell no reason.
  reply.finish = reply.end === '' ? 'stop' : endOfWord(reply.end)
  for (const field of ['prompt_eval_count', 'eval_count'] as const)
    if (line[field] !== undefined) wire.usage[field] = line[field]
}

async function statusError(response: Response): Promise<object> {
  const responseBody = response.body ? await new Response(limitedBody(response.body)).text() : ''
  const responseHeaders = Object.fromEntries(response.headers)
  return { message: response.statusText, statusCode: response.status, responseHeaders, responseBody }
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest: string[] = []
  for await (const bytes of body) {
    const [first = '', ...others] = decoder.decode(bytes, { stream: true }).split('\n')
    rest.push(first)
    for (const next of others) {
      const line = rest.join('')
      rest = [next]
      if (line.trim() !== '') yield line
    }
  }
  const last = rest.join('')
  if (last.trim() !== '') yield last
}

/**
 * Returns the definitions of tools as /api/chat takes them. It has no way to forbid calls, and takes calls in the history without
 * definitions, so the last turn has none.
 */
function toolsOf({ definitions, mustAnswer }: RequestTools): { tools?: object[] } {
  if (mustAnswer) return {}
  const tools = definitions.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: sentSchema(inputSchema) },
  }))
  return { tools }
}

const turnsOf = ({ turns }: RequestTools): object[] =>
  turns.flatMap(({ text, calls, results, message }) =>
    wellFormed([
      {
        role: 'assistant',
        content: text,
        ...(message?.[0]?.beside as object | undefined),
        ...calledIn(calls),
      },
      ...results.map((result) => ({
        role: 'tool',
        tool_name: callName(result.name),
        tool_call_id: result.id,
        content: result.text,
      })),
    ]),
  )

const calledIn = (calls: ToolTurn['calls']) =>
  calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id,
          function: { name: callName(name), arguments: callInput(text) },
        })),
      }

/** Returns the calls in one line of a reply. Each is whole. Arguments are an object; some servers send their JSON text. */
function callsIn(calls: unknown): ReplyCall[] {
  if (!Array.isArray(calls)) return []
  return calls.map((call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null) => {
    const { name, arguments: input } = call?.function ?? {}
    if (typeof name !== 'string' || name === '') throw nameless
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    const id = typeof call?.id === 'string' ? call.id : undefined
    return { type: 'call', id, name, arguments: text, hasArguments: true }
  })
}

const nameless = { name: 'InvalidResponse', message: 'a call in its reply has no name' }
