import { describe, expect, it } from 'vitest'
import { askOfServer, type Send } from '../../helpers/agents/ask-of-server.ts'

const ask = async (agent: string, send: Send) => (await askOfServer(agent, send)).reply

const chat = 'openai-compatible:m'
const anthropic = 'anthropic:claude-sonnet-4-5'
const openai = 'openai:gpt-5'
const gemini = 'google:gemini-2.5-pro'
const linesOf = (parts: readonly (object | string)[]) =>
  parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join('')
const events =
  (...parts: (object | string)[]): Send =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(linesOf(parts))
  }
const json =
  (body: object, status = 200): Send =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
/** Sends parts, and then breaks the connection. */
const broken =
  (...parts: object[]): Send =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(linesOf(parts), () => setTimeout(() => response.destroy(), 20))
  }
const chunk = (delta: object, finish_reason: string | null = null, more = {}) => ({
  id: '1',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
})
const counts = (usage: object) => ({ id: '1', choices: [], usage })
const usage = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 }

it.each([null, '', {}, { code: 0, message: '' }])('an error of %j in each part is ignored', async (error) => {
  const parts = [chunk({ content: 'Good ' }, null, { error }), chunk({ content: 'day' }, 'stop', { error })]
  const reply = await ask(chat, events(...parts, { ...counts(usage), error }, '[DONE]'))
  expect(reply).toMatchObject({ text: 'Good day', finish: 'stop', tokens: { input: 90, output: 12 } })
  expect(reply.error).toBeUndefined()
})

describe('a finish reason', () => {
  const ended = (word: string) =>
    ask(chat, events(chunk({ content: 'Go' }), chunk({}, word), counts(usage), '[DONE]'))

  it.each([
    ['insufficient_system_resource', 'server'],
    ['abort', 'server'],
    ['upstream_timeout', 'server'],
    ['network_error', 'network'],
  ])('%s is an error of the server or network', async (word, reason) => {
    const reply = await ended(word)
    expect(reply).toMatchObject({ text: 'Go', error: { reason }, tokens: { input: 90 } })
    expect(reply.error?.message).toBe(`the provider ended the reply with an error (${word})`)
    expect(reply.finish).toBeUndefined()
  })

  it.each(['sensitive', 'SAFETY', 'content_filter: RECITATION', 'PROHIBITED_CONTENT', 'BLOCKLIST', 'SPII'])(
    '%s is a refusal',
    async (word) => {
      expect(await ended(word)).toMatchObject({ finish: 'refusal', error: { reason: 'refusal' } })
    },
  )

  it.each(['model_length', 'model_context_window_exceeded', 'max_tokens'])('%s is a limit', async (word) => {
    const reply = await ended(word)
    expect(reply).toMatchObject({ text: 'Go', finish: 'length' })
    expect(reply.error).toBeUndefined()
  })

  it.each(['OTHER', 'LANGUAGE', 'something_new'])(
    '%s has no name here, and the text is kept',
    async (word) => {
      const candidates = [{ content: { role: 'model', parts: [{ text: 'Go' }] }, finishReason: word }]
      for (const reply of [await ended(word), await ask(gemini, events({ candidates }))]) {
        expect(reply.text).toBe('Go')
        expect(reply.error).toBeUndefined()
        expect(reply.finish).toBeUndefined()
      }
    },
  )

  it.each([
    ['load', { finish: undefined, reason: 'server' }],
    ['length', { finish: 'length', reason: undefined }],
    ['something_new', { finish: undefined, reason: undefined }],
    [undefined, { finish: 'stop', reason: undefined }],
  ])('%s of Ollama means %j', async (done_reason, { finish, reason }) => {
    const line = { model: 'm', message: { role: 'assistant', content: 'Go' }, done: true, done_reason }
    const reply = await ask('ollama:m', json(line))
    expect([reply.finish, reply.error?.reason]).toEqual([finish, reason])
  })

  it('that is empty does not end a reply: a stream that breaks off is broken, and one with the mark of its end has ended', async () => {
    const cut = await ask(chat, events(chunk({ content: 'Go' }, '')))
    expect(cut).toMatchObject({ text: 'Go', error: { reason: 'network' } })
    const ended = await ask(chat, events(chunk({ content: 'Go' }, ''), '[DONE]'))
    expect([ended.text, ended.error, ended.finish]).toEqual(['Go', undefined, undefined])
    const behind = await ask(chat, events(chunk({ content: 'Go' }, 'stop'), chunk({}, ''), '[DONE]'))
    expect(behind.finish).toBe('stop')
  })
})

describe('a connection that breaks before the mark of the end', () => {
  it('loses nothing of a reply whose finish reason and counts came', async () => {
    const reply = await ask(chat, broken(chunk({ content: 'Go' }), chunk({}, 'stop'), counts(usage)))
    expect(reply).toMatchObject({ text: 'Go', finish: 'stop', tokens: { input: 90, output: 12 } })
    expect(reply.error).toBeUndefined()
  })

  it('is a broken stream without counts, or without a finish reason', async () => {
    for (const parts of [
      [chunk({ content: 'Go' }), chunk({}, 'stop')],
      [chunk({ content: 'Go' }), counts(usage)],
    ])
      expect((await ask(chat, broken(...parts))).error?.reason).toBe('network')
  })
})

describe('a whole reply in place of a stream', () => {
  it('of Anthropic is read, with its thoughts', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'text', text: 'Good day' },
    ]
    const whole = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c-2',
      content,
      stop_reason: 'end_turn',
    }
    const told = { input_tokens: 9, cache_read_input_tokens: 60, output_tokens: 12 }
    const reply = await ask(anthropic, json({ ...whole, usage: told }))
    expect(reply).toMatchObject({ text: 'Good day', model: 'c-2', finish: 'stop', usage: told })
    expect(reply.tokens).toEqual({ input: 69, output: 12, cached: 60 })
    expect(reply.error).toBeUndefined()
    const cut = await ask(anthropic, json({ ...whole, stop_reason: 'max_tokens' }))
    expect(cut).toMatchObject({ text: 'Good day', finish: 'length', tokens: { input: null } })
  })

  it('of Responses is read, with its thoughts', async () => {
    const output = [
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Good day', annotations: [] }],
      },
    ]
    const whole = {
      id: 'x',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'g-2',
      error: null,
      output,
    }
    const told = { input_tokens: 90, output_tokens: 12, input_tokens_details: { cached_tokens: 60 } }
    const reply = await ask(openai, json({ ...whole, usage: told }))
    expect(reply).toMatchObject({ text: 'Good day', model: 'g-2', finish: 'stop', usage: told })
    expect(reply.tokens).toEqual({ input: 90, output: 12, cached: 60 })
    expect(reply.error).toBeUndefined()
    const incomplete_details = { reason: 'max_output_tokens' }
    const cut = await ask(openai, json({ ...whole, status: 'incomplete', incomplete_details }))
    expect(cut).toMatchObject({ text: 'Good day', finish: 'length' })
  })

  it('may be a refusal or calls', async () => {
    const content = [{ type: 'refusal', refusal: 'I will not.' }]
    const response = { id: 'x', object: 'response', created_at: 1, status: 'completed', model: 'g' }
    const refused = await ask(openai, json({ ...response, output: [{ type: 'message', id: 'i', content }] }))
    expect(refused.error?.message).toBe('the model, or a filter around it, refused: I will not.')
    const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'read', arguments: '{}' }
    expect((await ask(openai, json({ ...response, output: [call] }))).finish).toBe('tool-call')
    const use = { type: 'tool_use', id: 't', name: 'read', input: { path: '1' } }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [use],
      stop_reason: 'tool_use',
    }
    expect((await ask(anthropic, json(message))).finish).toBe('tool-call')
  })
})

describe('the words of an error inside a reply with status 200', () => {
  const words = (status_code: number, status_msg: string) => ({
    id: '1',
    choices: null,
    base_resp: { status_code, status_msg },
  })
  it.each<[string, object, string, string]>([
    ['MiniMax without a key', words(1004, 'login failed: no secret'), 'key', 'login failed: no secret'],
    ['MiniMax without credit', words(1008, 'the account is empty'), 'quota', 'the account is empty'],
    [
      'error_message beside no choices',
      {
        choices: null,
        error_type: 'BadRequestError',
        error_message: 'The context length is 99.',
        status_code: 400,
      },
      'context-overflow',
      'The context length is 99.',
    ],
    [
      'OpenRouter in the choice',
      {
        id: '1',
        choices: [
          { index: 0, delta: {}, finish_reason: 'error', error: { code: 429, message: 'Slow down' } },
        ],
      },
      'quota',
      'Slow down',
    ],
  ])('of %s are told', async (_, body, reason, message) => {
    expect((await ask(chat, events(body))).error).toEqual({ reason, message })
    const whole = await ask(chat, json(body))
    expect(whole.error).toMatchObject({ reason })
    expect(whole.error?.message).toContain(message)
  })

  it('are the part itself where a library can only list the rules that it breaks', async () => {
    const { error } = await ask(chat, events({ id: '1', choices: 'none' }))
    expect(error).toMatchSnapshot()
  })
})

describe('counts that a server does not have', () => {
  it.each([
    [{ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
    [{ prompt_tokens: 0, completion_tokens: 12, total_tokens: 12 }, 12],
  ])('are not those of %j', async (told, output) => {
    const reply = await ask(chat, events(chunk({ content: 'Go' }, 'stop'), counts(told), '[DONE]'))
    expect(reply).toMatchObject({ text: 'Go', tokens: { input: null, output, cached: null }, costUsd: null })
  })

  it('take none away that came before, as in the last event of Anthropic', async () => {
    const start = {
      input_tokens: 9,
      cache_read_input_tokens: 60,
      cache_creation: { ephemeral_1h_input_tokens: 5 },
    }
    const last = {
      input_tokens: 0,
      cache_read_input_tokens: 0,
      cache_creation: { ephemeral_1h_input_tokens: 0 },
    }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
    }
    const reply = await ask(
      anthropic,
      events(
        { type: 'message_start', message: { ...message, usage: { ...start, output_tokens: 1 } } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Go' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { ...last, output_tokens: 12 } },
        { type: 'message_stop' },
      ),
    )
    expect(reply.tokens).toEqual({ input: 69, output: 12, cached: 60, cacheWriteHour: 5 })
  })

  it('lose no reply where they are nested too deep to be read', async () => {
    const deep = `{"id":"1","choices":[],"usage":{"prompt_tokens":1,"x":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}}`
    const reply = await ask(chat, events(chunk({ content: 'Go' }, 'stop'), deep, '[DONE]'))
    expect(reply).toMatchObject({ text: 'Go', tokens: { input: null } })
  })
})

it.each([
  ['Perplexity', { cost: { input_tokens_cost: 0.001, request_cost: 0.005, total_cost: 0.007 } }, 0.007],
  ['xAI', { cost_in_usd_ticks: 25_000_000 }, 0.0025],
  ['a server with words in its place', { cost: { total_cost: 'free' }, cost_in_usd_ticks: -1 }, null],
])('the cost that %s tells is %j', async (_, money, costUsd) => {
  const reply = await ask(
    chat,
    events(chunk({ content: 'Go' }, 'stop'), counts({ ...usage, ...money }), '[DONE]'),
  )
  expect(reply.costUsd).toBe(costUsd)
})

it.each([chat, 'ollama:m'])(
  'of the refusal of %s the beginning is read, however long it is',
  async (agent) => {
    let sent = 0
    const endless: Send = (response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.write('{"error":{"type":"bad","message":"API key not valid \\"x\\"","more":"')
      const send = () => {
        while (!response.destroyed && response.write('y'.repeat(65_536))) sent += 65_536
      }
      response.on('drain', send)
      response.on('error', () => {})
      send()
    }
    const { error } = await ask(agent, endless)
    expect(error).toEqual({ reason: 'key', message: '400: API key not valid "x"' })
    expect(sent).toBeLessThan(32 * 1024 * 1024)
  },
)
