import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { forwardTo } from '../../../src/agents/gateway/forward.ts'
import { createMeter, type Metered, type Recorder } from '../../../src/agents/gateway/meter.ts'
import type { Tokens } from '../../../src/schema/tokens.ts'
import { gatewayRules } from '../../helpers/agents/gateway-rules.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'
import type { Answer, Script, Usage } from '../../model-server/script.ts'
import { startModelServer } from '../../model-server/server.ts'

const messages = [{ role: 'user', content: 'Hello' }]
/** A request in the wire of each vendor, streamed or in one piece. */
const wires = {
  anthropic: (stream: boolean) => ({ path: '/v1/messages', body: { model: 'm', stream, messages } }),
  responses: (stream: boolean) => ({ path: '/v1/responses', body: { model: 'm', stream, input: messages } }),
  chat: (stream: boolean) => ({
    path: '/v1/chat/completions',
    body: { model: 'm', stream, messages, ...(stream && { stream_options: { include_usage: true } }) },
  }),
  gemini: (stream: boolean) => ({
    path: `/v1beta/models/m:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  }),
}
const names = Object.keys(wires) as (keyof typeof wires)[]

const usage: Usage = { input: 1000, cached: 300, cacheWrite: 0, cacheWriteHour: 0, output: 50, reasoning: 20 }
const answer: Answer = { text: 'Hello, “you” 😀', thinking: 'They greet.', usage }
const failing = (failure: Answer['failure']): Answer => ({ ...answer, ...(failure && { failure }) })

/** A model behind a gateway with its meter. */
async function gateway(script: Script) {
  const server = await startModelServer(script)
  const meter = createMeter()
  const between = createServer(forwardTo(server.url, 'a-key', meter, gatewayRules(['m'])))
  const url = await onLoopback(between)
  const close = async () => {
    between.closeAllConnections()
    await server.close()
  }
  onTestFinished(close)
  const ask = async (wire: keyof typeof wires, stream = true) => {
    const { path, body } = wires[wire](stream)
    const request = { method: 'POST', body: JSON.stringify(body) }
    await fetch(url + path, request)
      .then((response) => response.text())
      .catch(() => {})
  }
  return { server, meter, url, ask, close }
}
const sums = ({ tokens }: Metered) => tokens && [tokens.input, tokens.output, tokens.cached]

describe.each(names)('the meter of a gateway, in the format of %s', (name) => {
  it.each([true, false])('counts what the server counts, streamed: %s', async (stream) => {
    const { ask, meter } = await gateway([answer, answer])
    await ask(name, stream)
    await ask(name, stream)
    expect(sums(meter.read())).toEqual([2000, 100, 600])
    expect(meter.read()).toMatchObject({ tokens: { reasoning: 40 }, failure: undefined })
  })

  it.each([true, false])('prices each reply by the model that answered, streamed: %s', async (stream) => {
    const price = ({ input }: Tokens, model = '') => ({
      costUsd: input === null || model === 'free' ? null : model === 'dear' ? 1 : 0.1,
    })
    const server = await startModelServer(() => answer)
    const meter = createMeter({ price })
    const between = createServer(
      forwardTo(server.url, 'a-key', meter, gatewayRules(['cheap', 'dear', 'free'])),
    )
    onTestFinished(() => server.close())
    const url = await onLoopback(between)
    const ask = async (model: string) => {
      const { path, body } = wires[name](stream)
      const asked = { method: 'POST', body: JSON.stringify({ ...body, model }) }
      await (await fetch(`${url}${path.replace('/m:', `/${model}:`)}`, asked)).text()
    }
    await ask('cheap')
    expect(meter.read().bill).toMatchObject({ model: 'cheap', costUsd: 0.1 })
    await ask('dear')
    await ask('dear')
    const { bill, requests } = meter.read()
    expect([bill.model, bill.costUsd, bill.estimated, requests]).toEqual([undefined, 2.1, undefined, 3])
    expect(bill.models).toMatchObject([
      { model: 'cheap', requests: 1, tokens: { input: 1000, output: 50 }, costUsd: 0.1 },
      { model: 'dear', requests: 2, tokens: { input: 2000, output: 100 }, costUsd: 2 },
    ])
    // A model without a price makes the cost unknown; limits count the price of the model asked for.
    await ask('free')
    const priced = meter.read().bill
    expect([priced.costUsd, priced.estimated]).toEqual([null, { requests: 1, tokens: 4200, costUsd: 2.2 }])
  })

  it('takes an HTML page in place of a reply for a failure of the server', async () => {
    const { ask, meter } = await gateway([{ fault: 'HTML page' }])
    await ask(name)
    expect(meter.read()).toMatchObject({ isRefused: false, failure: { reason: 'server', certain: true } })
  })

  it.each([
    [{ kind: 'cut' }, 'network', true],
    [{ kind: 'cut', early: true }, 'network', true],
    [{ kind: 'error-event', status: 500 }, 'server', false],
  ] as const)(
    'reports null tokens if a reply broke off, whatever is reported afterwards: %j',
    async (failure, reason, certain) => {
      const { ask, meter } = await gateway([answer, failing(failure), answer])
      await ask(name)
      await ask(name)
      expect(meter.read()).toMatchObject({
        tokens: { input: null, output: null },
        failure: { reason, certain },
      })
      await ask(name)
      expect(meter.read()).toMatchObject({ tokens: { input: null, output: null }, failure: undefined })
    },
  )

  it('counts a reply with an unreadable event and reports it as a server error', async () => {
    const { ask, meter } = await gateway([failing({ kind: 'malformed' })])
    await ask(name)
    expect(sums(meter.read())).toEqual([1000, 50, 300])
    expect(meter.read().failure).toEqual({ reason: 'server', certain: false })
  })

  it('counts refused requests as 0, alone and beside answered ones', async () => {
    const refused = failing({ kind: 'status', status: 429, retryAfter: '7', message: 'Not so fast.' })
    const { ask, meter } = await gateway([refused, answer, refused])
    await ask(name)
    expect(meter.read()).toMatchObject({
      tokens: { input: 0, output: 0, cached: 0 },
      isRefused: true,
      failure: { reason: 'quota', certain: true, status: 429, words: 'Not so fast.', retryAfterMs: 7000 },
    })
    await ask(name)
    await ask(name)
    expect(sums(meter.read())).toEqual([1000, 50, 300])
    expect(meter.read()).toMatchObject({ isRefused: false, failure: { reason: 'quota' } })
  })

  it('has null tokens if one request was refused and another broke off', async () => {
    const { ask, meter } = await gateway([
      failing({ kind: 'status', status: 500 }),
      failing({ kind: 'cut' }),
      failing({ kind: 'status', status: 500 }),
    ])
    for (const _ of [1, 2, 3]) await ask(name)
    expect(sums(meter.read())).toEqual([null, null, null])
    expect(meter.read()).toMatchObject({ isRefused: false, outage: { reason: 'server' } })
  })

  it.each(['stop', 'length', 'refusal'] as const)('tells that the last reply ended by %s', async (end) => {
    const { ask, meter } = await gateway([{ text: 'first' }, { text: 'last', end }, { text: 'last', end }])
    await ask(name)
    await ask(name)
    expect(meter.read().finish).toBe(end)
    await ask(name, false)
    expect(meter.read().finish).toBe(end)
  })

  it('tells that the last reply called a tool', async () => {
    const { ask, meter } = await gateway([{ toolCalls: [{ name: 'read', input: {} }] }])
    await ask(name)
    expect(meter.read().finish).toBe('tool-call')
  })

  it('reports null tokens if the provider reports no usage', async () => {
    const { ask, meter } = await gateway([{ text: 'Hello', usage: null }])
    await ask(name, false)
    expect(meter.read().tokens?.input).toBeNull()
  })
})

/** Returns what a meter reads of one reply with status 200. */
function readingOf(body: string, type = 'text/event-stream', path = '/v1/chat/completions', size = 7) {
  const source = new Readable({ read: () => {} })
  const meter = createMeter()
  const headers = type === '' ? {} : { 'content-type': type }
  const reply = { statusCode: 200, headers, complete: true } as unknown as IncomingMessage
  meter.begin(path).recordReply(reply, source)
  const bytes = Buffer.from(body)
  for (let at = 0; at < bytes.length; at += size) source.emit('data', bytes.subarray(at, at + size))
  source.emit('end')
  return meter.read()
}

describe('a reply with status 200', () => {
  const json = 'application/json'
  const chunk = (choice: object) => ({
    choices: [{ index: 0, delta: {}, ...choice }],
    usage: { prompt_tokens: 10, completion_tokens: 5 },
  })
  const event = JSON.stringify(chunk({ finish_reason: 'stop' }))
  const stream = `data: ${event}\n\ndata: [DONE]\n\n`

  it.each([
    ['with lines that end by CR', stream.replaceAll('\n', '\r'), 'text/event-stream'],
    ['with data of several lines', stream.replace(',"usage"', ',\ndata: "usage"'), 'text/event-stream'],
    ['with a comment before it, of type text/plain', `: hello\n\n${stream}`, 'text/plain'],
    ['after white space and a byte order mark, without a type', `\ufeff\n${stream}`, ''],
    ['of type application/json', `event: x\n${stream}`, json],
    ['in one piece, of type text/plain', event, 'text/plain'],
  ])('is read %s', (_, body, type) => {
    const { tokens, failure, finish } = readingOf(body, type)
    expect([tokens?.input, tokens?.output, failure, finish]).toEqual([10, 5, undefined, 'stop'])
  })

  it.each([
    ['of OpenRouter', { error: { message: 'No credits left', code: 402 } }, 'quota', 'No credits left'],
    [
      'of Gemini in a list',
      [{ error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } }],
      'server',
      'Overloaded',
    ],
  ])('that is an error %s is a failure with its reason, and unknown tokens', (_, body, reason, words) => {
    const { tokens, failure, isRefused } = readingOf(JSON.stringify(body), json)
    expect(failure).toEqual({ reason, words, certain: true })
    expect([tokens?.input, isRefused]).toEqual([null, false])
  })

  it('that is an error or plain text asks no model if its path does not', () => {
    for (const [body, type] of [
      ['{"error":"no"}', json],
      ['data: x', 'text/plain'],
      ['{', ''],
    ] as const)
      expect(readingOf(body, type, '/telemetry')).toMatchObject({ tokens: undefined, failure: undefined })
  })

  it('ends by a refusal if it has a text of one', () => {
    const refusal = { finish_reason: 'stop', delta: { refusal: 'I cannot help with that.' } }
    expect(readingOf(`data: ${JSON.stringify(chunk(refusal))}\n\n`).finish).toBe('refusal')
  })

  it.each([
    ['an error in a stream', (deep: string) => `${stream}data: {"error":${deep}}\n\n`, 'text/event-stream'],
    ['an error', (deep: string) => `{"error":${deep}}`, json],
    ['usage', (deep: string) => `data: {"usage":{"x":${deep}}}\n\n`, 'text/event-stream'],
  ])('is unreadable if %s nests 100,000 objects or lists', (_, bodyOf, type) => {
    for (const [open, close] of [
      ['{"error":', '}'],
      ['[', ']'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
      expect(readingOf(bodyOf(deep), type, undefined, 9000).failure).toMatchObject({ reason: 'server' })
    }
  })
})

describe('the meter of a gateway', () => {
  it('counts a request whose reply never came', async () => {
    const { meter, url, server } = await gateway([{ failure: { kind: 'hang' } }])
    const stop = new AbortController()
    const body = JSON.stringify(wires.anthropic(true).body)
    const asked = fetch(`${url}/v1/messages`, { method: 'POST', body, signal: stop.signal }).catch(() => {})
    await expect.poll(() => server.asked()).toBe(1)
    expect(meter.read().tokens).toEqual({ input: null, output: null, cached: null })
    stop.abort()
    await asked
  })

  it('ignores replies that are not a model’s, and reports undefined if there were no others', async () => {
    const { meter, url } = await gateway([])
    await fetch(`${url}/v1/models`)
    await fetch(`${url}/v1/messages/count_tokens`, { method: 'POST', body: '{}' })
    const { tokens, failure, outage, isRefused } = meter.read()
    expect([tokens, failure, outage, isRefused]).toEqual([undefined, undefined, undefined, false])
  })

  it('keeps no reply that is too long for a model and reports it as unreadable', async () => {
    const meter = createMeter()
    const reply = { statusCode: 200, headers: { 'content-type': 'application/json' }, complete: true }
    const body = Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(8 * 2 ** 20, ' ')))
    meter.begin('/v1/messages').recordReply(reply as unknown as IncomingMessage, body)
    await once(body, 'end')
    expect(meter.read().failure).toEqual({ reason: 'server', certain: false })
  })

  it('distinguishes an unreachable provider from a closed connection', async () => {
    const { ask, meter, server } = await gateway([])
    await server.close()
    await ask('chat')
    expect(meter.read()).toMatchObject({
      tokens: { input: 0, output: 0 },
      isRefused: true,
      failure: { reason: 'network', certain: true },
    })
  })

  it('reports for any sequence of faults the tokens that the server counts if all were reported, else null', async () => {
    const faults: Answer[] = [
      answer,
      { text: 'short' },
      failing({ kind: 'cut' }),
      failing({ kind: 'error-event' }),
      failing({ kind: 'malformed' }),
      failing({ kind: 'status', status: 429 }),
      failing({ kind: 'status', status: 500 }),
    ]
    const likely = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...faults.slice(0, 2), ...faults.slice(4)) },
      { weight: 1, arbitrary: fc.constantFrom(...faults) },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.array(likely, { minLength: 1, maxLength: 5 }),
        async (name, answers) => {
          const { ask, meter, server, close } = await gateway(answers)
          for (const _ of answers) await ask(name)
          const generated = server.log.filter((entry) => entry.usage !== null)
          const isWhole = generated.every(({ reported }) => reported)
          const total = (part: 'input' | 'output') =>
            isWhole ? generated.reduce((sum, { usage }) => sum + (usage?.[part] ?? 0), 0) : null
          const { tokens } = meter.read()
          expect([tokens?.input, tokens?.output]).toEqual([total('input'), total('output')])
          await close()
        },
      ),
      { numRuns: 60 },
    )
  })
})

describe('what a model’s server says of its reply', () => {
  const chunk = (delta: object, more = {}) => ({ choices: [{ index: 0, delta, ...more }], model: 'said' })
  const stop = { finish_reason: 'stop' }
  const gemini = (parts: object[]) => ({
    candidates: [{ content: { parts }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 1, totalTokenCount: 10 },
    modelVersion: 'said',
  })
  const thinking = {
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: 'Hm.' },
  }
  const reasoned = { type: 'response.reasoning_summary_text.delta', delta: 'Hm.' }
  it.each<[string, object[], object]>([
    ['the model of Gemini', [gemini([{ text: '42' }])], { bill: { model: 'said' }, finish: 'stop' }],
    ['thoughts of Gemini', [gemini([{ text: 'Hm.', thought: true }])], { finish: 'thoughts' }],
    [
      'thoughts of Anthropic',
      [thinking, { type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }],
      { finish: 'thoughts' },
    ],
    [
      'thoughts of Responses',
      [
        reasoned,
        {
          type: 'response.completed',
          response: { status: 'completed', model: 'said', output: [{ type: 'reasoning', summary: [] }] },
        },
      ],
      { finish: 'thoughts', bill: { model: 'said' } },
    ],
    ['thoughts of Chat', [chunk({ reasoning_content: 'Hm.' }), chunk({}, stop)], { finish: 'thoughts' }],
    [
      'an answer behind thoughts',
      [chunk({ reasoning: 'Hm.' }), chunk({ content: '42' }, stop)],
      { finish: 'stop' },
    ],
    [
      'an outage by a native word',
      [chunk({ content: '' }), chunk({}, { ...stop, native_finish_reason: 'network_error' })],
      { finish: undefined, failure: { reason: 'network', isBrokenOff: true } },
    ],
    [
      'an unknown native word, and nothing else',
      [chunk({ content: '' }), chunk({}, { ...stop, native_finish_reason: 'something_new' })],
      { failure: { reason: 'server', isBrokenOff: true } },
    ],
    [
      'an unknown native word behind an answer',
      [chunk({ content: '42' }), chunk({}, { ...stop, native_finish_reason: 'something_new' })],
      { finish: 'stop', failure: undefined },
    ],
    [
      'parts of unknown types',
      [{ type: 'new_event' }, ...[chunk({ content: '42' }, stop)]],
      { finish: 'stop' },
    ],
  ])('is read: %s', async (_, parts, expected) => {
    const model = createServer((incoming, outgoing) => {
      incoming.resume()
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.end(parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join(''))
    })
    const meter = createMeter()
    const address = await onLoopback(model)
    const between = createServer(forwardTo(address, 'a-key', meter, gatewayRules(['m'])))
    const url = `${await onLoopback(between)}/v1/chat/completions`
    await (await fetch(url, { method: 'POST', body: '{"model":"m","messages":[]}' })).text()
    expect(meter.read()).toMatchObject(expected)
  })
})

describe('limits count of a reply without a count', () => {
  const text = 'word '.repeat(400)
  const part = (more: object = {}) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta: { content: text }, ...more }] })}\n\n`
  const ended = `${part({ finish_reason: 'stop' })}data: [DONE]\n\n`
  const asked = (more: object = {}) => Buffer.from(JSON.stringify({ model: 'm', messages, ...more }))
  const type = 'text/event-stream'

  /** Returns the tokens that limits count of a reply, that came whole or that the program left, without those of the request. */
  async function outputOf(body: string, { request = asked(), isLeft = false, as = type } = {}) {
    const counted: number[] = []
    const limits = {
      begin: async () => 'begun' as const,
      end: (_: unknown, { tokens }: { tokens: number }) => void counted.push(tokens),
    }
    const meter = createMeter({ limits })
    const begin = await meter.admit(request, new AbortController().signal)
    const source = new Readable({ read: () => {} })
    const reply = { statusCode: 200, headers: { 'content-type': as }, complete: true }
    const recorder = (begin as (path: string) => Recorder)('/v1/chat/completions')
    recorder.recordReply(reply as unknown as IncomingMessage, source)
    const bytes = Buffer.from(body)
    for (let at = 0; at < bytes.length; at += 1000) source.emit('data', bytes.subarray(at, at + 1000))
    if (isLeft) recorder.recordLeft()
    else source.emit('end')
    const sum = meter.read().bill.estimated?.tokens
    expect(counted).toEqual([sum])
    return (sum ?? 0) - Math.ceil(request.length / 4)
  }

  it('the text that passed, a token for 4 bytes, and not the form of its parts', async () => {
    const output = await outputOf(part().repeat(200) + ended)
    expect(output).toBeGreaterThanOrEqual(100_000)
    expect(output).toBeLessThan(102_000)
    const short = JSON.parse(part().slice(6))
    short.choices[0].delta.content = 'word '
    const many = await outputOf(`data: ${JSON.stringify(short)}\n\n`.repeat(4000) + ended)
    expect(many).toBeGreaterThanOrEqual(5000)
    expect(many).toBeLessThan(6000)
  })

  it('also if the program leaves before the end, or in the middle of a part', async () => {
    expect(await outputOf(part().repeat(200), { isLeft: true })).toBeGreaterThanOrEqual(100_000)
    const open = part().repeat(50).replaceAll('\n\n', ' ')
    expect(await outputOf(open, { isLeft: true })).toBeGreaterThanOrEqual(25_000)
  })

  it.each([
    [
      'in one piece',
      JSON.stringify({ choices: [{ message: { content: text.repeat(50) }, finish_reason: 'stop' }] }),
      'application/json',
    ],
    ['that cannot be read', `data: {${text.repeat(50)}\n\n`, type],
    ['in an unknown format', JSON.stringify({ said: [text.repeat(50)] }), 'application/json'],
    [
      'as arguments of a call',
      `data: ${JSON.stringify({ choices: [{ delta: { input: Array(20_000).fill(12345) } }] })}\n\n`,
      type,
    ],
    ['in a field of names', `data: ${JSON.stringify({ id: text.repeat(50) })}\n\n`, type],
  ])('a reply %s', async (_, body, as) => {
    expect(await outputOf(body, { as })).toBeGreaterThanOrEqual(25_000)
  })

  it('what passed if a server ignores the most output, and else what the request allows', async () => {
    const request = asked({ max_tokens: 1 })
    expect(await outputOf(part().repeat(10) + ended, { request })).toBeGreaterThanOrEqual(5500)
    expect(await outputOf('data: {"choices":[]}\n\n', { request, isLeft: true })).toBeLessThan(5)
    expect(await outputOf(ended)).toBe(4096)
  })

  it.each(
    tableOf<
      [
        (
          | Record<string, string>
          | Record<string, number>
          | Record<string, unknown>
          | Record<string, Record<string, number>>
          | Record<string, Record<string, string>>
        ),
        number,
      ][]
    >(import.meta.url, 'whatRequest'),
  )('what the request %j allows', async (more, output) => {
    expect(await outputOf('', { request: asked(more), isLeft: true })).toBe(output)
  })
})
