import { describe, expect, it } from 'vitest'
import { askOfServer, type Send } from '../../helpers/agents/ask-of-server.ts'

const anthropic = 'anthropic:claude-sonnet-4-5'
const openai = 'openai:gpt-5'
const gemini = 'google:gemini-2.5-pro'
const chat = 'openai-compatible:m'

const ask = async (agent: string, send: Send) => (await askOfServer(agent, send)).reply
const events =
  (...parts: unknown[]): Send =>
  (response) => {
    const lines = parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''))
  }
const json =
  (body: object): Send =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }

/** A whole stream of each wire, and what a vendor may add to it at any place. */
const usage = { input_tokens: 90, output_tokens: 12 }
const message = { id: 'm', type: 'message', role: 'assistant', model: 'said', content: [] as object[] }
const blockOf = (index: number, content_block: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const textBlock = (index: number, ...more: object[]) =>
  blockOf(index, { type: 'text', text: '' }, ...more, { type: 'text_delta', text: 'The answer is 42.' })
const messageOf = (parts: unknown[], stop_reason = 'end_turn') => [
  { type: 'message_start', message: { ...message, usage } },
  ...parts,
  { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
  { type: 'message_stop' },
]
const response = { id: 'r', object: 'response', created_at: 1, model: 'said' }
const item = { type: 'message', id: 'i', role: 'assistant' }
const text = { type: 'output_text', text: 'The answer is 42.', annotations: [] }
const responseOf = (parts: unknown[], output: object[] = []) => [
  { type: 'response.created', response },
  ...parts,
  { type: 'response.completed', response: { ...response, status: 'completed', output, usage } },
]
const saidItem = (output_index: number) => [
  { type: 'response.output_item.added', output_index, item },
  { type: 'response.output_text.delta', item_id: 'i', output_index, content_index: 0, delta: text.text },
  { type: 'response.output_item.done', output_index, item: { ...item, content: [text] } },
]
const newItem = { type: 'new_item', id: 'n', data: { x: 1 } }
const counts = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 }
const chunk = (delta: unknown, finish_reason: unknown = null, more = {}) => ({
  id: '1',
  model: 'said',
  choices: [{ index: 0, delta, finish_reason, ...more }],
})
const chatOf = (
  parts: unknown[],
  end: unknown[] = [chunk({}, 'stop'), { choices: [], usage: counts }, '[DONE]'],
) => [...parts, ...end]
const said = chunk({ content: 'The answer is 42.' })
const candidate = (parts: unknown[], finishReason?: string, more = {}) => ({
  candidates: [{ content: { role: 'model', parts }, index: 0, finishReason, ...more }],
  usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 12, totalTokenCount: 102 },
  modelVersion: 'said',
})
const answer = { text: 'The answer is 42.' }

const odd: readonly (readonly [string, string, unknown[]])[] = [
  [anthropic, 'event', messageOf([{ type: 'new_event', note: 1 }, ...textBlock(0)])],
  [anthropic, 'events that are no objects', messageOf(['7', 'null', '[1]', '"x"', ...textBlock(0)])],
  [anthropic, 'block', messageOf([...blockOf(0, { type: 'new_block', data: 'x' }), ...textBlock(1)])],
  [
    anthropic,
    'block with deltas of known and of new types',
    messageOf([
      ...blockOf(0, { type: 'new_block' }, { type: 'text_delta', text: 'no ' }, { type: 'new_delta' }),
      ...textBlock(1),
    ]),
  ],
  [anthropic, 'block without a type', messageOf([...blockOf(0, {}), ...textBlock(1)])],
  [anthropic, 'delta', messageOf(textBlock(0, { type: 'new_delta', data: 'x' }))],
  [anthropic, 'citation', messageOf(textBlock(0, { type: 'citations_delta', citation: { type: 'new' } }))],
  [
    anthropic,
    'form of a known block of the vendor’s own tools',
    messageOf([...blockOf(0, { type: 'web_search_tool_result', content: 'new' }), ...textBlock(1)]),
  ],
  [anthropic, 'stop reason', messageOf(textBlock(0), 'new_reason')],
  [
    anthropic,
    'fields',
    messageOf(textBlock(0)).map((part) => ({ ...(part as object), new_field: { a: [1] }, container: 7 })),
  ],
  [
    anthropic,
    'values of fields that nobody reads',
    [
      { type: 'message_start', message: { ...message, content: [newItem], container: 1, usage: { new: 1 } } },
      ...textBlock(0),
      { type: 'message_delta', delta: { stop_reason: 'end_turn', container: 7, stop_details: 'x' }, usage },
      { type: 'message_stop' },
    ],
  ],
  [openai, 'event', responseOf([{ type: 'response.new_event', x: 1 }, ...saidItem(0)])],
  [
    openai,
    'item',
    responseOf(
      [
        { type: 'response.output_item.added', output_index: 0, item: newItem },
        { type: 'response.new_item.delta', output_index: 0, delta: 'x' },
        { type: 'response.output_item.done', output_index: 0, item: newItem },
        ...saidItem(1),
      ],
      [newItem, { ...item, content: [text] }],
    ),
  ],
  [
    openai,
    'form of a known item and of an annotation',
    responseOf([
      { type: 'response.output_item.added', output_index: 0, item: { type: 'web_search_call', id: 1 } },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'mcp_call', id: 'x', tools: 1 } },
      ...saidItem(1),
      { type: 'response.output_text.annotation.added', annotation: { type: 'new_citation' } },
    ]),
  ],
  [
    openai,
    'values of fields that nobody reads',
    responseOf(saidItem(0).map((part) => ({ ...part, logprobs: 'new', phase: 'new', status: 7 }))),
  ],
  [chat, 'event', chatOf([{ type: 'ping' }, { object: 'new.object', data: 1 }, said])],
  [chat, 'delta', chatOf([chunk({ new_field: [1] }), said, chunk({ reasoning: { new: 1 }, role: 'tutor' })])],
  [chat, 'kind of call beside the answer', chatOf([chunk({ tool_calls: [{ type: 'new' }] }), said])],
  [
    chat,
    'part of the content',
    chatOf([
      chunk({
        content: [
          { type: 'new_part', data: 1 },
          { type: 'text', text: text.text },
        ],
      }),
    ]),
  ],
  [chat, 'part without choices', chatOf([{ id: '1', object: 'chat.completion.chunk', usage: counts }, said])],
  [gemini, 'part', [candidate([{ newPart: { x: 1 } }, answer, { inlineData: 7 }], 'STOP')]],
  [gemini, 'finish reason', [candidate([answer], 'NEW_REASON')]],
  [gemini, 'event', [{ newEvent: 1 }, candidate([answer], 'STOP')]],
  [
    gemini,
    'form of grounding and of ratings',
    [candidate([answer], 'STOP', { groundingMetadata: { groundingChunks: 1 }, safetyRatings: 'new' })],
  ],
]

describe('what is not known', () => {
  it.each(odd)('of %s loses no answer: a new %s', async (agent, _, parts) => {
    const reply = await ask(agent, events(...parts))
    expect(reply.error).toBeUndefined()
    expect(reply).toMatchObject({ text: 'The answer is 42.', model: 'said' })
    expect(reply.tokens).toMatchObject({ input: 90, output: 12 })
  })

  it.each<[string, object]>([
    [
      anthropic,
      {
        ...message,
        content: [newItem, { type: 'text', text: text.text, citations: [{ type: 'new' }] }],
        stop_reason: 'end_turn',
        usage,
        container: 7,
      },
    ],
    [
      openai,
      { ...response, status: 'completed', output: [newItem, { ...item, content: [newItem, text] }], usage },
    ],
    [
      chat,
      {
        id: '1',
        object: 'chat.completion',
        model: 'said',
        choices: [
          {
            message: { role: 'tutor', content: text.text, tool_calls: [{ type: 'new' }] },
            finish_reason: 'stop',
          },
        ],
        usage: counts,
      },
    ],
    [gemini, candidate([{ newPart: 1 }, answer], 'STOP')],
  ])('of a whole reply of %s loses none either', async (agent, body) => {
    for (const send of [json(body), events(body)]) {
      const reply = await ask(agent, send)
      expect(reply.error).toBeUndefined()
      expect(reply).toMatchObject({ text: text.text, model: 'said', finish: 'stop' })
      expect(reply.tokens).toMatchObject({ input: 90, output: 12 })
    }
  })

  it('of Ollama loses no answer either', async () => {
    const lines = [
      'null',
      '7',
      JSON.stringify({ new_event: 1 }),
      JSON.stringify({
        model: 'said',
        message: { content: text.text, thinking: { new: 1 }, new: [1] },
        error: null,
      }),
      JSON.stringify({
        model: 'said',
        message: { content: null },
        done: true,
        done_reason: 'new',
        prompt_eval_count: 90,
        eval_count: 12,
      }),
    ]
    const reply = await ask('ollama:m', (out) => {
      out.writeHead(200, { 'content-type': 'application/x-ndjson' }).end(lines.join('\n'))
    })
    expect(reply.error).toBeUndefined()
    expect(reply).toMatchObject({ text: text.text, model: 'said', tokens: { input: 90, output: 12 } })
  })

  it('is told where nothing else came', async () => {
    for (const agent of [anthropic, openai, chat, gemini]) {
      const { error } = await ask(agent, events({ new_event: 1 }))
      expect(error).toMatchSnapshot()
    }
  })
})

describe('a stream of which only the last events came', () => {
  const whole = { ...item, content: [text] }
  const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: '{"path":"1"}' }
  it.each<[string, unknown[]]>([
    ['the last event', responseOf([], [{ type: 'reasoning', id: 't', summary: [] }, whole]).slice(-1)],
    ['`done` of the item', responseOf([{ type: 'response.output_item.done', output_index: 0, item: whole }])],
    [
      '`done` of the text',
      responseOf([{ type: 'response.output_text.done', item_id: 'i', output_index: 0, text: text.text }]),
    ],
    ['`done` of the part', responseOf([{ type: 'response.content_part.done', output_index: 0, part: text }])],
    [
      'a piece, and then all of it',
      responseOf(
        [
          ...saidItem(0).slice(0, 1),
          { type: 'response.output_text.delta', item_id: 'i', output_index: 0, delta: 'The ans' },
        ],
        [whole],
      ),
    ],
    [
      'all of it in every event',
      responseOf(
        [
          ...saidItem(0),
          { type: 'response.output_text.done', output_index: 0, content_index: 0, text: text.text },
        ],
        [{ type: 'reasoning', id: 't', summary: [] }, whole],
      ),
    ],
  ])('is read: %s has the text', async (_, parts) => {
    const reply = await ask(openai, events(...parts))
    expect(reply.error).toBeUndefined()
    expect(reply).toMatchObject({ text: text.text, finish: 'stop', model: 'said', tokens: { input: 90 } })
  })

  it('is read: the last event has a call or a refusal', async () => {
    const called = await ask(openai, events(...responseOf([], [call]).slice(-1)))
    expect(called.finish).toBe('tool-call')
    const content = [{ type: 'refusal', refusal: 'I will not.' }]
    const refused = await ask(openai, events(...responseOf([], [{ ...item, content }]).slice(-1)))
    expect(refused.error).toMatchObject({ reason: 'refusal' })
  })

  it.each<[string, unknown[]]>([
    [
      'no finish reason, but counts and the mark of the end',
      chatOf([said], [{ choices: [], usage: counts }, '[DONE]']),
    ],
    ['the text under another name', chatOf([chunk({ text: text.text })])],
    ['the text in the choice', chatOf([chunk(undefined, null, { text: text.text })])],
    [
      'a whole message in place of deltas',
      chatOf(
        [chunk(undefined, 'stop', { message: { content: text.text } })],
        [{ choices: [], usage: counts }],
      ),
    ],
    [
      'the message so far beside each delta',
      chatOf([
        chunk({ content: 'The answer' }, null, { message: { content: 'The answer' } }),
        chunk({ content: ' is 42.' }, null, { message: { content: text.text } }),
      ]),
    ],
  ])('of Chat Completions is read: %s', async (_, parts) => {
    const reply = await ask(chat, events(...parts))
    expect(reply.error).toBeUndefined()
    expect(reply).toMatchObject({ text: text.text, tokens: { input: 90, output: 12 } })
  })

  it('stays a broken one where neither a finish reason nor counts came', async () => {
    for (const parts of [[said], [said, '[DONE]']])
      expect((await ask(chat, events(...parts))).error?.reason).toBe('network')
  })
})

describe('an outage that only the word of the server behind a router tells', () => {
  const native = (word: string, content = '', finish = 'stop') => [
    chunk({ content }),
    chunk({}, finish, { native_finish_reason: word }),
    { choices: [], usage: counts },
    '[DONE]',
  ]

  it.each([
    ['network_error', 'network'],
    ['error', 'server'],
    ['abort', 'server'],
    ['timeout', 'server'],
    ['MALFORMED_FUNCTION_CALL', 'server'],
    ['engine_overloaded', 'server'],
    ['something_new', 'server'],
    ['OTHER', 'server'],
  ])('%s is an error of the %s, in a stream and in a whole reply', async (word, reason) => {
    const whole = {
      id: '1',
      object: 'chat.completion',
      choices: [{ message: { content: '' }, finish_reason: 'stop', native_finish_reason: word }],
      usage: counts,
    }
    for (const send of [events(...native(word)), json(whole)])
      expect(await ask(chat, send)).toMatchObject({ error: { reason }, tokens: { input: 90 } })
  })

  it('leaves an answer alone whose end has an unknown name, and takes limits and refusals as such', async () => {
    for (const word of ['STOP', 'end_turn', 'completed', 'something_new']) {
      const reply = await ask(chat, events(...native(word, '42')))
      expect([reply.text, reply.finish, reply.error]).toEqual(['42', 'stop', undefined])
    }
    expect((await ask(chat, events(...native('MAX_TOKENS', 'The')))).finish).toBe('length')
    expect((await ask(chat, events(...native('SAFETY')))).error?.reason).toBe('refusal')
    expect((await ask(chat, events(...native('STOP')))).error).toBeUndefined()
  })
})
