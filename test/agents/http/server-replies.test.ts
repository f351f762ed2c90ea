import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { agentRequest } from '../../helpers/agents/agent-request.ts'
import { askOfServer, type Send } from '../../helpers/agents/ask-of-server.ts'
import { agentAt, agents, exchange, failing } from '../../helpers/agents/http-agents.ts'
import { callingAgent } from '../../helpers/agents/tool-agents.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const send =
  (body: string, type = 'text/event-stream', status = 200): Send =>
  (response) => {
    response.writeHead(status, { 'content-type': type }).end(body)
  }
const json = (body: object, status = 200) => send(JSON.stringify(body), 'application/json', status)
const events = (...parts: (object | string)[]) =>
  send(parts.map((part) => `data: ${typeof part === 'string' ? part : JSON.stringify(part)}\n\n`).join(''))

const chat = 'openai-compatible:m'
const delta = (delta: object, finish_reason: string | null = null) => ({
  id: '1',
  choices: [{ index: 0, delta, finish_reason }],
})
const said = [delta({ content: 'Hello' }), delta({}, 'stop')]
const everyAgent = [...agents, 'ollama:m']

describe('a refusal', () => {
  it.each(everyAgent)('of %s keeps its reason if its body never ends', async (agent) => {
    const hang: Send = (response) => response.writeHead(401).flushHeaders()
    const { reply } = await askOfServer(agent, hang, { timeoutMs: 2000 })
    expect(reply.error).toEqual({ reason: 'key', message: '401: the body of this refusal did not end' })
    expect(reply).toMatchObject({ tokens: { input: 0, output: 0 }, costUsd: 0 })
  })

  it.each(everyAgent)('of %s by a proxy costs nothing and is told', async (agent) => {
    const { reply } = await askOfServer(agent, send('', 'text/plain', 407))
    expect(reply.error).toEqual({ reason: 'key', message: '407: Proxy Authentication Required' })
    expect(reply).toMatchObject({ tokens: { input: 0, output: 0 }, costUsd: 0 })
  })
})

describe('a reply that cannot be used', () => {
  const page = '<html><head><title>Sign in</title></head><body>Please sign in to the proxy</body></html>'
  it.each(everyAgent)('of %s is told with status, type and first words: a page', async (agent) => {
    const { reply } = await askOfServer(agent, send(page, 'text/html; charset=utf-8'))
    expect(reply.error).toMatchSnapshot()
    expect(reply).toMatchObject({ tokens: { input: null, output: null, cached: null }, costUsd: null })
  })

  it.each(everyAgent)('of %s is told with its words: an error with status 200', async (agent) => {
    const { reply } = await askOfServer(
      agent,
      json({ error: { message: 'Provider returned error', code: 502 } }),
    )
    expect(reply.error?.reason).toBe('server')
    expect(reply.error?.message).toContain('Provider returned error')
    expect(reply.tokens.input).toBeNull()
  })

  it.each(everyAgent)('of %s is told as such: nothing', async (agent) => {
    for (const [status, type] of [
      [200, 'text/event-stream'],
      [204, 'application/json'],
    ] as const) {
      const { reply } = await askOfServer(agent, send('', type, status))
      expect(reply.error).toEqual({ reason: 'server', message: `${status}: an empty body` })
    }
  })

  it.each(
    tableOf<
      [
        number,
        (
          | Record<string, string>
          | Record<string, Record<string, unknown>[]>
          | Record<string, unknown>
          | Record<string, Record<string, unknown>>
        ),
        string,
        string,
      ][]
    >(import.meta.url, 'statusServer'),
  )('with status %i has the server’s words: %j', async (status, body, reason, message) => {
    for (const agent of everyAgent) {
      const { reply } = await askOfServer(agent, json(body, status))
      expect(reply.error, agent).toEqual({ reason, message })
      expect(reply, agent).toMatchObject({ tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 })
    }
  })

  it('is cut at 500 characters, and a page with an error status has its type', async () => {
    const { reply } = await askOfServer(
      chat,
      send(`<h1>Bad gateway</h1>${'x '.repeat(2_000)}`, 'text/html', 502),
    )
    expect(reply.error?.message).toMatch(/^502 \(text\/html\): Bad gateway x x/)
    const { length } = reply.error?.message ?? ''
    expect(length).toBeLessThanOrEqual(500)
    expect(length).toBeGreaterThan(490)
  })
})

describe('a server that does not stream', () => {
  const message = { role: 'assistant', content: 'Hello' }
  it('is read: a whole reply of Chat Completions', async () => {
    const usage = { prompt_tokens: 90, completion_tokens: 12, total_tokens: 102 }
    const whole = {
      id: '1',
      object: 'chat.completion',
      model: 'm-2',
      choices: [{ index: 0, message, finish_reason: 'stop' }],
      usage,
    }
    const { reply } = await askOfServer(chat, json(whole))
    expect(reply).toMatchObject({
      text: 'Hello',
      model: 'm-2',
      finish: 'stop',
      usage,
      tokens: { input: 90, output: 12 },
    })
    expect(reply.error).toBeUndefined()
    const pretty = await askOfServer(chat, send(JSON.stringify(whole, undefined, 2).replaceAll('\n', '\n\n')))
    expect(pretty.reply).toMatchObject({ text: 'Hello', tokens: { input: 90 } })
  })

  it('is read: a whole reply of Gemini', async () => {
    const candidates = [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }]
    const usageMetadata = { promptTokenCount: 90, candidatesTokenCount: 12, totalTokenCount: 102 }
    for (const body of [{ candidates, usageMetadata }, [{ candidates, usageMetadata }]]) {
      const { reply } = await askOfServer('google:gemini-2.5-pro', json(body))
      expect(reply).toMatchObject({ text: 'Hello', finish: 'stop', tokens: { input: 90, output: 12 } })
    }
  })
})

describe('an error inside a stream', () => {
  it.each([
    [429, 'quota'],
    [502, 'server'],
    ['429', 'quota'],
  ])('with code %j has the reason of that status', async (code, reason) => {
    const { reply } = await askOfServer(
      chat,
      events(said[0] as object, { error: { code, message: 'Upstream failed' } }),
    )
    expect(reply).toMatchObject({
      text: 'Hello',
      error: { reason, message: 'Upstream failed' },
      costUsd: null,
    })
  })

  it('of vLLM or Gemini keeps its text', async () => {
    const flat = { object: 'error', message: 'EngineCore failed', type: 'InternalServerError', code: 500 }
    const vllm = await askOfServer(chat, events(said[0] as object, flat))
    expect(vllm.reply.error).toEqual({ reason: 'server', message: 'EngineCore failed' })
    const error = { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' }
    const gemini = await askOfServer('google:gemini-2.5-pro', events({ error }))
    expect(gemini.reply.error).toEqual({ reason: 'server', message: 'The model is overloaded.' })
  })

  it('is absent where the stream ends too early, which is the network’s fault', async () => {
    for (const parts of [[said[0] as object], [said[0] as object, '[DONE]']]) {
      const { reply } = await askOfServer(chat, events(...parts))
      expect(reply.error).toEqual({ reason: 'network', message: 'the stream ended before the reply did' })
      expect(reply.text).toBe('Hello')
    }
  })
})

describe('the counts of a reply', () => {
  const withUsage = (usage: object) =>
    askOfServer(chat, events(...said, { id: '1', choices: [], usage }, '[DONE]'))
  it.each([
    { prompt_tokens: '90', completion_tokens: '12' },
    { prompt_tokens: -90, completion_tokens: 1.5 },
    { prompt_tokens: {}, completion_tokens: [], prompt_tokens_details: 'none' },
    { total_tokens: 102 },
  ])('that are not valid lose no reply: %j', async (usage) => {
    const { reply } = await withUsage(usage)
    expect(reply).toMatchObject({
      text: 'Hello',
      tokens: { input: null, output: null, cached: null },
      costUsd: null,
    })
    expect(reply.error).toBeUndefined()
    expect(reply.usage).toEqual(usage)
  })

  it('lose no reply of Anthropic and of Responses', async () => {
    const usage = { input_tokens: '9', output_tokens: -1 }
    const message = {
      id: 'm',
      type: 'message',
      role: 'assistant',
      model: 'c',
      content: [],
      stop_reason: null,
    }
    const anthropic = await askOfServer(
      'anthropic:claude-sonnet-4-5',
      events(
        { type: 'message_start', message: { ...message, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ),
    )
    expect(anthropic.reply).toMatchObject({
      text: 'Hello',
      finish: 'stop',
      usage,
      tokens: { input: null, output: null },
    })
    expect(anthropic.reply.error).toBeUndefined()
  })

  it.each([
    [
      'in the choice, as Moonshot has them',
      [
        delta({ content: 'Hello' }),
        {
          id: '1',
          choices: [
            {
              index: 0,
              delta: {},
              finish_reason: 'stop',
              usage: { prompt_tokens: 90, completion_tokens: 12 },
            },
          ],
        },
      ],
    ],
    [
      'in a part of its own, as Groq has them',
      [...said, { id: '1', choices: [], x_groq: { usage: { prompt_tokens: 90, completion_tokens: 12 } } }],
    ],
    [
      'in each chunk, of which the last counts',
      [
        { ...delta({ content: 'Hello' }), usage: { prompt_tokens: 90, completion_tokens: 1 } },
        { ...delta({}, 'stop'), usage: { prompt_tokens: 90, completion_tokens: 12 } },
        { id: '1', choices: [], usage: null },
      ],
    ],
    [
      'behind the end',
      [...said, '[DONE]', { id: '1', choices: [], usage: { prompt_tokens: 90, completion_tokens: 12 } }],
    ],
  ])('are read %s', async (_, parts) => {
    const { reply } = await askOfServer(chat, events(...parts))
    expect(reply).toMatchObject({ text: 'Hello', tokens: { input: 90, output: 12, cached: null } })
  })

  it.each([
    [{ cost: 0.002 }, 0.002],
    [{ cost: 0.002, is_byok: false, cost_details: { upstream_inference_cost: 0.04 } }, 0.002],
    [{ cost: 0.002, is_byok: true, cost_details: { upstream_inference_cost: 0.04 } }, 0.042],
    [{ cost: 0.002, is_byok: true }, null],
    [{ cost: '0.002' }, null],
    [{ cost: -1 }, null],
  ])('with money %j cost %j', async (money, costUsd) => {
    const { reply } = await withUsage({ prompt_tokens: 90, completion_tokens: 12, ...money })
    expect(reply.costUsd).toBe(costUsd)
    expect(reply.costSource).toBe(costUsd === null ? undefined : 'provider')
  })
})

describe('why a reply ended', () => {
  it.each(agents)('is told by %s', async (agent) => {
    const finishOf = async (answer: object) => (await exchange(agent, [answer])).reply.finish
    expect(await finishOf({ text: 'Hello' })).toBe('stop')
    expect(await finishOf({ text: 'Hel', end: 'length' })).toBe('length')
    expect(await finishOf({ text: '', end: 'length' })).toBe('length')
    expect(await finishOf({ text: 'No.', end: 'refusal' })).toBe('refusal')
    expect(await finishOf(failing({ kind: 'cut' }))).toBeUndefined()
    expect(await finishOf(failing({ kind: 'status', status: 500 }))).toBeUndefined()
  })

  it.each([
    ['thoughts', [delta({ reasoning_content: 'Hm.' }), delta({}, 'stop')]],
    ['thoughts', [delta({ content: '<think>Hm.</think>' }), delta({}, 'stop')]],
    ['length', [delta({ reasoning_content: 'Hm.' }), delta({}, 'length')]],
    [
      'tool-call',
      [
        delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'x', arguments: '{}' } }] }),
        delta({}, 'stop'),
      ],
    ],
    ['stop', [delta({ content: 'Hello' }), delta({}, 'eos')]],
  ])('is %s for Chat Completions that ended so: %#', async (finish, parts) => {
    expect((await askOfServer(chat, events(...parts))).reply.finish).toBe(finish)
  })

  it('is a refusal with the server’s words', async () => {
    const openai = await askOfServer(
      chat,
      events(delta({ content: null, refusal: 'I cannot.' }), delta({}, 'stop')),
    )
    const words = 'the model, or a filter around it, refused'
    expect(openai.reply).toMatchObject({
      finish: 'refusal',
      error: { reason: 'refusal', message: `${words}: I cannot.` },
    })
    const usageMetadata = { promptTokenCount: 9, totalTokenCount: 9 }
    const blocked = events({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata })
    const gemini = await askOfServer('google:gemini-2.5-pro', blocked)
    expect(gemini.reply).toMatchObject({
      finish: 'refusal',
      error: { reason: 'refusal' },
      tokens: { input: 9, output: 0 },
    })
    expect(gemini.reply.error?.message).toContain('PROHIBITED_CONTENT')
  })

  it('is told by Ollama', async () => {
    const lines = (...parts: object[]) =>
      send(parts.map((part) => `${JSON.stringify(part)}\n`).join(''), 'application/x-ndjson')
    const end = (more = {}) => ({ message: { content: '' }, done: true, done_reason: 'stop', ...more })
    for (const [finish, ...parts] of [
      ['stop', { message: { content: 'Hello' } }, end()],
      ['length', { message: { content: 'Hel' } }, end({ done_reason: 'length' })],
      ['thoughts', { message: { content: '', thinking: 'Hm.' } }, end()],
      [
        'tool-call',
        { message: { content: '', tool_calls: [{ function: { name: 'x', arguments: {} } }] } },
        end(),
      ],
    ] as const)
      expect((await askOfServer('ollama:m', lines(...parts))).reply.finish).toBe(finish)
    const { reply } = await askOfServer(
      'ollama:m',
      lines({ message: { content: 'Hello' } }, end({ eval_count: 12 })),
    )
    expect(reply).toMatchObject({
      tokens: { input: null, output: 12, cached: null },
      usage: { eval_count: 12 },
    })
  })
})

describe('a call that was never sent', () => {
  it.each(everyAgent)('of %s costs nothing', async (name) => {
    const { url } = await closedServer()
    const agent = name.startsWith('ollama') ? await callingAgent(name, url) : await agentAt(name, url)
    const reply = await agent.ask(agentRequest(), new AbortController().signal)
    expect(reply.error?.reason).toBe('network')
    expect(reply).toMatchObject({ tokens: { input: 0, output: 0, cached: 0 }, costUsd: 0 })
  })
})

async function closedServer() {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise((resolve) => server.close(resolve))
  return { url }
}

it('calls one after the other share connections', async () => {
  const { again, connections } = await askOfServer(chat, events(...said, '[DONE]'))
  for (let i = 0; i < 5; i++) await again()
  expect(connections()).toBeLessThan(4)
})
