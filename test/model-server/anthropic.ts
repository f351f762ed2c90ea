import { argumentsText, type CalledTool, callId, endOf, halves, type Usage } from './script.ts'
import { type Body, list, type Said, textOf, typed, type Wire } from './wire.ts'

/** Anthropic Messages. */
export const anthropic: Wire = {
  name: 'anthropic',
  asks: (path) => path === '/v1/messages',
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    system: textOf(body.system),
    messages: list(body.messages).map(({ role, content }) => ({
      role: isToolResult(content) ? 'tool' : role === 'assistant' ? 'assistant' : 'user',
      text: textOf(content),
    })),
    tools: list(body.tools).map(({ name }) => String(name)),
  }),
  whole: (said) => ({
    ...head(said),
    content: blocks(said).map(({ call, ...block }) => block),
    stop_reason: stopReasons[endOf(said.answer)],
    ...(said.usage && { usage: usageOf(said.usage) }),
  }),
  *frames(said) {
    const start = { ...usageOf(said.usage ?? none), output_tokens: 1 }
    yield typed({
      type: 'message_start',
      message: { ...head(said), content: [], stop_reason: null, usage: start },
    })
    for (const [index, block] of blocks(said).entries()) {
      yield typed({ type: 'content_block_start', index, content_block: empty(block) })
      if (index === 0) yield typed({ type: 'ping' })
      for (const delta of deltas(block)) yield typed({ type: 'content_block_delta', index, delta })
      yield typed({ type: 'content_block_stop', index })
    }
    const delta = { stop_reason: stopReasons[endOf(said.answer)], stop_sequence: null }
    yield typed({ type: 'message_delta', delta, usage: usageOf(said.usage ?? none) })
    yield typed({ type: 'message_stop' })
  },
  contentType: () => 'text/event-stream; charset=utf-8',
  error,
  errorFrame: (status, message) => typed({ ...error(status, message), type: 'error' }),
  dataFrame: typed,
  malformed: 'event: content_block_delta\ndata: {"type":"content_block_del\n\n',
  aside(method, path, body) {
    if (method === 'POST' && path === '/v1/messages/count_tokens')
      return { input_tokens: Math.ceil(JSON.stringify([body.system, body.messages]).length / 4) }
    if (method === 'GET' && path.startsWith('/v1/models/')) return model(path.slice(11))
    if (method === 'GET' && path === '/v1/models')
      return {
        data: [model('claude-test')],
        has_more: false,
        first_id: 'claude-test',
        last_id: 'claude-test',
      }
    return undefined
  },
}

const none: Usage = { input: 0, cached: 0, cacheWrite: 0, cacheWriteHour: 0, output: 0, reasoning: 0 }
const stopReasons = { stop: 'end_turn', tools: 'tool_use', length: 'max_tokens', refusal: 'refusal' }
const model = (id: string) => ({
  type: 'model',
  id,
  display_name: id,
  created_at: '2026-01-01T00:00:00Z',
})
const isToolResult = (content: unknown) => list(content).some(({ type }) => type === 'tool_result')

const head = ({ request }: Said) => ({
  id: `msg_${request.number}`,
  type: 'message',
  role: 'assistant',
  model: request.model,
  stop_sequence: null,
})

/** Anthropic counts fresh input, reads and writes apart; output holds the thinking. */
const usageOf = ({ input, cached, cacheWrite, cacheWriteHour, output, reasoning }: Usage) => ({
  input_tokens: input - cached - cacheWrite,
  cache_creation_input_tokens: cacheWrite,
  cache_read_input_tokens: cached,
  cache_creation: {
    ephemeral_5m_input_tokens: cacheWrite - cacheWriteHour,
    ephemeral_1h_input_tokens: cacheWriteHour,
  },
  output_tokens: output,
  ...(reasoning > 0 && { output_tokens_details: { thinking_tokens: reasoning } }),
  service_tier: 'standard',
})

type Block = { type: string; call?: CalledTool } & Body

function blocks({ answer, request }: Said): Block[] {
  const { thinking = '', text, toolCalls = [], signature } = answer
  return [
    // Thinking that is not shown is empty, but signed.
    ...(thinking || signature ? [{ type: 'thinking', thinking, signature: signature ?? 'c2lnbmVk' }] : []),
    ...(text ? [{ type: 'text', text }] : []),
    ...toolCalls.map((call, i) => ({
      type: 'tool_use',
      id: callId(call, `toolu_${request.number}_${i}`),
      name: call.name,
      input: call.input,
      call,
    })),
  ]
}

function empty({ call: _, ...block }: Block): Body {
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
}

function deltas(block: Block): Body[] {
  if (block.type === 'text') return halves(String(block.text)).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'thinking')
    return [
      ...halves(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ]
  return halves(argumentsText(block.call as CalledTool)).map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
}

function error(status: number, message: string, code?: string) {
  const types: Record<number, string> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  }
  return {
    type: 'error',
    error: { type: code ?? types[status] ?? 'api_error', message },
    request_id: 'req_test',
  }
}
