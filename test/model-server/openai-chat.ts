import { argumentsText, callId, endOf, halves, type Usage } from './script.ts'
import { type Body, event, list, type Said, textOf, type Wire } from './wire.ts'

/** OpenAI Chat Completions, as OpenRouter, vLLM, LM Studio and llama.cpp speak it, too. */
export const openaiChat: Wire = {
  name: 'openai-chat',
  asks: (path) => path.endsWith('/chat/completions'),
  read: (body) => ({
    model: String(body.model),
    stream: body.stream === true,
    system: list(body.messages)
      .filter(({ role }) => role === 'system' || role === 'developer')
      .map(({ content }) => textOf(content))
      .join('\n'),
    messages: list(body.messages)
      .filter(({ role }) => role !== 'system' && role !== 'developer')
      .map(({ role, content }) => ({
        role: role === 'tool' || role === 'assistant' ? role : 'user',
        text: textOf(content),
      })),
    tools: list(body.tools).map((tool) => String((tool.function as Body | undefined)?.name)),
  }),
  whole: (said) => ({
    ...head(said, 'chat.completion'),
    choices: [
      { index: 0, message: message(said), logprobs: null, finish_reason: reasons[endOf(said.answer)] },
    ],
    ...(said.usage && { usage: { ...usageOf(said.usage), cost: said.answer.cost } }),
  }),
  *frames(said) {
    const chunk = (delta: Body, finish_reason: string | null = null) =>
      event({
        ...head(said, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      })
    yield chunk({ role: 'assistant', content: '' })
    for (const reasoning_content of halves(said.answer.thinking ?? '')) yield chunk({ reasoning_content })
    for (const content of halves(said.answer.text ?? '')) yield chunk({ content })
    for (const [index, call] of toolCalls(said).entries()) {
      const { name, arguments: whole } = call.function
      yield chunk({ tool_calls: [{ index, ...call, function: { name, arguments: '' } }] })
      for (const part of halves(whole))
        yield chunk({ tool_calls: [{ index, function: { arguments: part } }] })
    }
    yield chunk({}, reasons[endOf(said.answer)])
    const wanted = ((said.request.body as Body).stream_options as Body | undefined)?.include_usage === true
    if (said.usage && wanted)
      yield event({
        ...head(said, 'chat.completion.chunk'),
        choices: [],
        usage: { ...usageOf(said.usage), cost: said.answer.cost },
      })
    yield event('[DONE]')
  },
  contentType: () => 'text/event-stream; charset=utf-8',
  error: openaiError,
  errorFrame: (status, text) => event(openaiError(status, text, undefined)),
  dataFrame: (data) => event(data),
  malformed: 'data: {"id":"chatcmpl\n\n',
  aside(method, path) {
    if (method === 'GET' && path.endsWith('/v1/models')) return { object: 'list', data: [model('gpt-test')] }
    const at = path.lastIndexOf('/v1/models/')
    return method === 'GET' && at >= 0 ? model(path.slice(at + 11)) : undefined
  },
}

/** OpenAI's error body, the same on both of its wires. */
export function openaiError(status: number, message: string, code: string | undefined) {
  const types: Record<number, string> = { 401: 'authentication_error', 429: 'rate_limit_error' }
  const codes: Record<number, string> = { 401: 'invalid_api_key', 429: 'rate_limit_exceeded' }
  const type = types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error')
  return { error: { message, type, param: null, code: code ?? codes[status] ?? null } }
}

const reasons = { stop: 'stop', tools: 'tool_calls', length: 'length', refusal: 'content_filter' }
const model = (id: string) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'test' })

const head = ({ request }: Said, object: string) => ({
  id: `chatcmpl-${request.number}`,
  object,
  created: 1_767_225_600,
  model: request.model,
})

const usageOf = ({ input, cached, output, reasoning }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
  completion_tokens_details: { reasoning_tokens: reasoning },
})

const toolCalls = ({ answer, request }: Said) =>
  (answer.toolCalls ?? []).map((call, i) => ({
    id: callId(call, `call_${request.number}_${i}`),
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call) },
  }))

function message(said: Said): Body {
  const { text, thinking } = said.answer
  const calls = toolCalls(said)
  return {
    role: 'assistant',
    content: text ?? null,
    ...(thinking && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}
