import { type Body, list } from '../../model-server/wire.ts'

/** What a request tells of its ask, in order and without the words of one vendor. */
export type SentEvent =
  | { kind: 'user' | 'said' | 'reasoning'; text: string }
  | { kind: 'call'; id: unknown; name: unknown; input: unknown }
  | { kind: 'result'; id: unknown; text: unknown }

const inner = (body: Body, name: string) => (body[name] ?? {}) as Body
const parsed = (text: unknown) => JSON.parse(String(text)) as unknown

function ofBlock(role: unknown, block: Body): SentEvent[] {
  const { type, text, id, name, input, tool_use_id, content, thinking } = block
  if (type === 'tool_use') return [{ kind: 'call', id, name, input }]
  if (type === 'tool_result') return [{ kind: 'result', id: tool_use_id, text: content }]
  if (type === 'thinking') return [{ kind: 'reasoning', text: String(thinking) }]
  return [{ kind: role === 'assistant' ? 'said' : 'user', text: String(text) }]
}

function ofItem(item: Body): SentEvent[] {
  const { type, call_id: id, name, role, content, output, encrypted_content } = item
  if (type === 'function_call') return [{ kind: 'call', id, name, input: parsed(item.arguments) }]
  if (type === 'function_call_output') return [{ kind: 'result', id, text: output }]
  if (type === 'reasoning') return [{ kind: 'reasoning', text: String(encrypted_content) }]
  return list(content).map(({ text }) => ({
    kind: role === 'assistant' ? 'said' : 'user',
    text: String(text),
  }))
}

function ofPart(role: unknown, part: Body): SentEvent[] {
  const call = inner(part, 'functionCall')
  const response = inner(part, 'functionResponse')
  if (call.name !== undefined) return [{ kind: 'call', id: call.id, name: call.name, input: call.args }]
  if (response.name !== undefined)
    return [{ kind: 'result', id: response.id, text: inner(response, 'response').content }]
  return [{ kind: role === 'model' ? 'said' : 'user', text: String(part.text) }]
}

function ofMessage({ role, content, tool_calls, tool_call_id, reasoning_content }: Body): SentEvent[] {
  if (role === 'tool') return [{ kind: 'result', id: tool_call_id, text: content }]
  const said: SentEvent[] = content
    ? [{ kind: role === 'assistant' ? 'said' : 'user', text: String(content) }]
    : []
  const reasoning: SentEvent[] = reasoning_content
    ? [{ kind: 'reasoning', text: String(reasoning_content) }]
    : []
  const calls = list(tool_calls).map((call): SentEvent => {
    const { name, arguments: input } = inner(call, 'function')
    return { kind: 'call', id: call.id, name, input: typeof input === 'string' ? parsed(input) : input }
  })
  return [...reasoning, ...said, ...calls]
}

/** Reads a request of any of the five wire formats. */
export function sentEvents(agent: string, body: Body): SentEvent[] {
  switch (agent.slice(0, agent.indexOf(':'))) {
    case 'anthropic':
      return list(body.messages).flatMap(({ role, content }) =>
        list(content).flatMap((block) => ofBlock(role, block)),
      )
    case 'openai':
      return list(body.input).flatMap(ofItem)
    case 'google':
      return list(body.contents).flatMap(({ role, parts }) =>
        list(parts).flatMap((part) => ofPart(role, part)),
      )
    default:
      return list(body.messages).flatMap(ofMessage)
  }
}
