import { endOf, halves, type Usage } from './script.ts'
import { type Body, list, type Said, textOf, type Wire } from './wire.ts'

/** Ollama's own /api/chat. `models` are those that it says are installed. */
export const ollama = (models: readonly string[]): Wire => ({
  name: 'ollama',
  asks: (path) => path === '/api/chat',
  read: (body) => ({
    model: String(body.model),
    stream: body.stream !== false,
    system: list(body.messages)
      .filter(({ role }) => role === 'system')
      .map(({ content }) => textOf(content))
      .join('\n'),
    messages: list(body.messages)
      .filter(({ role }) => role !== 'system')
      .map(({ role, content }) => ({
        role: role === 'tool' || role === 'assistant' ? role : 'user',
        text: textOf(content),
      })),
    tools: list(body.tools).map((tool) => String((tool.function as Body | undefined)?.name)),
  }),
  whole: (said) => line(said, message(said), true),
  *frames(said) {
    const { text = '', thinking = '' } = said.answer
    const send = (content: Body, done = false) => `${JSON.stringify(line(said, content, done))}\n`
    for (const part of halves(thinking)) yield send({ role: 'assistant', content: '', thinking: part })
    for (const content of halves(text)) yield send({ role: 'assistant', content })
    const { tool_calls } = message(said)
    for (const call of list(tool_calls)) yield send({ role: 'assistant', content: '', tool_calls: [call] })
    yield send({ role: 'assistant', content: '' }, true)
  },
  contentType: () => 'application/x-ndjson',
  error: (_, message) => ({ error: message }),
  errorFrame: (_, message) => `${JSON.stringify({ error: message })}\n`,
  dataFrame: (data) => `${JSON.stringify(data)}\n`,
  malformed: '{"model":"tes\n',
  aside(method, path, body) {
    if (method === 'GET' && path === '/api/version') return { version: '0.12.0' }
    if (method === 'GET' && path === '/api/tags')
      return { models: models.map((name) => ({ name, model: name, size: 1, digest: 'test', details: {} })) }
    if (method === 'GET' && path === '/api/ps') return { models: [] }
    if (method === 'POST' && path === '/api/show')
      return { details: {}, model_info: {}, capabilities: ['completion', 'tools'], model: body.model }
    return undefined
  },
})

function message({ answer }: Said): Body {
  const { text = '', thinking, toolCalls = [] } = answer
  const tool_calls = toolCalls.map(({ name, input, id }) => ({
    ...(id && { id }),
    function: { name, arguments: input },
  }))
  return {
    role: 'assistant',
    content: text,
    ...(thinking && { thinking }),
    ...(tool_calls.length > 0 && { tool_calls }),
  }
}

function line({ request, answer, usage }: Said, message: Body, done: boolean) {
  return {
    model: request.model,
    created_at: '2026-01-01T00:00:00Z',
    message,
    done,
    ...(done && { done_reason: endOf(answer) === 'length' ? 'length' : 'stop' }),
    ...(done && usage && usageOf(usage)),
  }
}

const usageOf = ({ input, output }: Usage) => ({
  total_duration: 3_000_000,
  load_duration: 1_000_000,
  prompt_eval_count: input,
  prompt_eval_duration: 1_000_000,
  eval_count: output,
  eval_duration: 1_000_000,
})
