import { openaiError } from './openai-chat.ts'
import { argumentsText, callId, endOf, halves, type Usage } from './script.ts'
import { type Body, list, type Said, textOf, typed, type Wire } from './wire.ts'

/** OpenAI Responses. */
export const openaiResponses: Wire = {
  name: 'openai-responses',
  asks: (path) => path.endsWith('/responses'),
  read: (body) => {
    const items = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : list(body.input)
    const isSystem = ({ role }: Body) => role === 'system' || role === 'developer'
    return {
      model: String(body.model),
      stream: body.stream === true,
      system: [body.instructions, ...items.filter(isSystem).map(({ content }) => content)]
        .map(textOf)
        .join('\n')
        .trim(),
      messages: items
        .filter((item) => !isSystem(item))
        .map((item) => ({
          role: String(item.type).endsWith('_output')
            ? 'tool'
            : item.role === 'assistant'
              ? 'assistant'
              : 'user',
          text: textOf(item),
        })),
      tools: list(body.tools).map(({ name, type }) => String(name ?? type)),
    }
  },
  whole: (said) => response(said, items(said)),
  *frames(said) {
    let sequence_number = 0
    const send = (type: string, data: Body) => typed({ type, sequence_number: sequence_number++, ...data })
    const begun = { ...response(said, []), status: 'in_progress', usage: null, incomplete_details: null }
    yield send('response.created', { response: begun })
    yield send('response.in_progress', { response: begun })
    for (const [output_index, item] of items(said).entries()) {
      yield send('response.output_item.added', { output_index, item: { ...item, ...unfilled(item) } })
      for (const [type, data] of itemEvents(item))
        yield send(type, { item_id: item.id, output_index, ...data })
      yield send('response.output_item.done', { output_index, item })
    }
    const done = response(said, items(said))
    yield send(`response.${done.status}`, { response: done })
  },
  contentType: () => 'text/event-stream; charset=utf-8',
  error: openaiError,
  errorFrame: (status, message) =>
    typed({
      type: 'error',
      sequence_number: 99,
      ...openaiError(status, message, status < 500 ? undefined : 'server_error'),
    }),
  dataFrame: typed,
  malformed: 'event: response.output_text.delta\ndata: {"type":"response.outp\n\n',
}

type Item = { type: string; id: string } & Body

function items({ answer, request: { number } }: Said): Item[] {
  const { thinking, text, toolCalls = [], end, signature = null } = answer
  const content = end === 'refusal' ? [{ type: 'refusal', refusal: text ?? '' }] : [outputText(text ?? '')]
  const summary = [{ type: 'summary_text', text: thinking }]
  return [
    ...(thinking ? [{ type: 'reasoning', id: `rs_${number}`, summary, encrypted_content: signature }] : []),
    ...(text
      ? [{ type: 'message', id: `msg_${number}`, status: 'completed', role: 'assistant', content }]
      : []),
    ...toolCalls.map((call, i) => ({
      type: 'function_call',
      id: `fc_${number}_${i}`,
      status: 'completed',
      call_id: callId(call, `call_${number}_${i}`),
      ...(call.namespace !== undefined && { namespace: call.namespace }),
      name: call.name,
      arguments: argumentsText(call),
    })),
  ]
}

const outputText = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })

function unfilled({ type }: Item): Body {
  if (type === 'reasoning') return { summary: [] }
  return type === 'message'
    ? { status: 'in_progress', content: [] }
    : { status: 'in_progress', arguments: '' }
}

function* itemEvents(item: Item): Generator<[string, Body]> {
  if (item.type === 'function_call') {
    const whole = String(item.arguments)
    for (const delta of halves(whole)) yield ['response.function_call_arguments.delta', { delta }]
    yield ['response.function_call_arguments.done', { arguments: whole, name: item.name }]
    return
  }
  const [part] = list(item.type === 'message' ? item.content : item.summary)
  const { type, text, refusal } = part as Body
  const whole = String(text ?? refusal)
  const family = type === 'summary_text' ? 'reasoning_summary' : 'content'
  const index = family === 'content' ? { content_index: 0 } : { summary_index: 0 }
  const texts = type === 'summary_text' ? 'reasoning_summary_text' : String(type)
  yield [
    `response.${family}_part.added`,
    { ...index, part: { ...part, [type === 'refusal' ? 'refusal' : 'text']: '' } },
  ]
  for (const delta of halves(whole)) yield [`response.${texts}.delta`, { ...index, delta, logprobs: [] }]
  yield [
    `response.${texts}.done`,
    { ...index, [type === 'refusal' ? 'refusal' : 'text']: whole, logprobs: [] },
  ]
  yield [`response.${family}_part.done`, { ...index, part }]
}

function response({ request, answer, usage }: Said, output: readonly Item[]) {
  const end = endOf(answer)
  const reason = end === 'length' ? 'max_output_tokens' : end === 'refusal' ? 'content_filter' : undefined
  return {
    id: `resp_${request.number}`,
    object: 'response',
    created_at: 1_767_225_600,
    model: request.model,
    status: reason ? 'incomplete' : 'completed',
    error: null,
    incomplete_details: reason ? { reason } : null,
    instructions: null,
    metadata: {},
    output,
    parallel_tool_calls: true,
    tool_choice: 'auto',
    tools: [],
    service_tier: 'default',
    usage: usage ? usageOf(usage) : null,
  }
}

const usageOf = ({ input, cached, output, reasoning }: Usage) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
})
