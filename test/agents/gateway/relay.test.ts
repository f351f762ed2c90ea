import { createServer, request as requestHttp } from 'node:http'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openRelay } from '../../../src/agents/gateway/relay.ts'
import type { Upstream } from '../../../src/agents/upstream.ts'
import { openGateway } from '../../../src/sandbox/gateway.ts'
import { onLoopback } from '../../helpers/servers/loopback.ts'

const key = 'sk-of-the-agent-0123456789'

interface Sent {
  path: string
  body?: object
  method?: string
  headers?: Record<string, string>
}

/** Opens a relay for two roles, and gives what sends a request to it; \`seen\` is what the model's server got. */
async function relay({ refuses, stream = [] }: { refuses?: string; stream?: Buffer[] } = {}) {
  const seen: { url: string; body: Record<string, unknown>; headers: unknown }[] = []
  const server = createServer(async (request, response) => {
    seen.push({ url: request.url ?? '', body: JSON.parse(await text(request)), headers: request.headers })
    response.setHeader('content-type', stream.length > 0 ? 'text/event-stream' : 'application/json')
    for (const piece of stream) {
      response.write(piece)
      await setImmediate()
    }
    if (stream.length > 0) return response.end()
    response.end(
      JSON.stringify({
        object: 'chat.completion',
        model: 'served',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, cost: 0.5 },
      }),
    )
  })
  const url = await onLoopback(server)
  const upstream = (wires: Upstream['wires'], path: string) => ({
    ...{ wires, model: 'own', baseUrl: `${url}${path}`, agent: 'agent' },
    key: () => key,
    providerTools: false,
    loadPrices: async () => (_: unknown, __?: string, reported?: number) => ({ costUsd: reported ?? 1 }),
  })
  const replies: unknown[] = []
  const { gateway, refused } = await openRelay({
    upstreams: { first: upstream(['chat'], '/api/v1'), second: upstream(['gemini'], '/v1beta') },
    openGateway: (listen, refuse) => openGateway(listen, { isolated: false, refuse }),
    async ask({ role }, send) {
      if (refuses !== undefined) throw new Error(refuses)
      replies.push([role, await send(new AbortController().signal)])
    },
  })
  onTestFinished(() => gateway.close())
  const send = async ({ path, body = {}, method = 'POST', headers = {} }: Sent) => {
    const { port } = new URL(gateway.url)
    return new Promise<string>((resolve, reject) => {
      const asked = requestHttp(
        {
          port,
          host: '127.0.0.1',
          method,
          path,
          headers: { 'content-type': 'application/json', ...headers },
        },
        async (reply) => {
          resolve(`${reply.statusCode} ${await text(reply)}`)
        },
      )
      asked.on('error', reject)
      asked.end(method === 'GET' ? undefined : JSON.stringify(body))
    })
  }
  return { send, seen, replies, refused }
}

const messages = [{ role: 'user', content: 'Hi' }]
const contents = [{ parts: [{ text: 'Hi' }] }]

describe('a relay passes a request on', () => {
  it.each<[string, Sent, string]>([
    [
      'of no role to the first',
      { path: '/v1/chat/completions', body: { messages } },
      '/api/v1/chat/completions',
    ],
    [
      'without a version',
      { path: '/chat/completions', body: { model: 'gpt-9', messages } },
      '/api/v1/chat/completions',
    ],
    [
      'with its version twice',
      { path: '/v1/v1/chat/completions', body: { messages } },
      '/api/v1/chat/completions',
    ],
    [
      'by the path of a role',
      { path: '/role/first/v1/chat/completions', body: { messages } },
      '/api/v1/chat/completions',
    ],
    [
      'by a header, with the model in the path',
      {
        path: '/v1beta/models/gemini-9:generateContent',
        body: { contents },
        headers: { 'x-bench-role': 'second' },
      },
      '/v1beta/models/own:generateContent',
    ],
    [
      'by the path rather than by a header',
      {
        path: '/role/second/v1/models/x:streamGenerateContent?alt=sse',
        body: { contents, model: 'models/x' },
        headers: { 'x-bench-role': 'first' },
      },
      '/v1beta/models/own:streamGenerateContent?alt=sse',
    ],
  ])('%s', async (_, sent, url) => {
    const { send, seen, replies, refused } = await relay()
    expect(await send({ ...sent, headers: { ...sent.headers, authorization: 'Bearer sk-other' } })).toMatch(
      /^200 /,
    )
    expect(seen.map((one) => one.url)).toEqual([url])
    const { body, headers } = seen[0] as (typeof seen)[number]
    expect([body.model ?? 'own', JSON.stringify(headers).includes(key), JSON.stringify(headers)]).toEqual([
      'own',
      true,
      expect.not.stringMatching(/sk-other|bench-/),
    ])
    const role = url.startsWith('/api') ? 'first' : 'second'
    expect(replies).toEqual([
      [
        role,
        expect.objectContaining({
          text: 'Hello.',
          model: 'served',
          tokens: { input: 3, output: 2, cached: null },
          costUsd: 0.5,
        }),
      ],
    ])
    expect(refused()).toBeUndefined()
  })

  it('of a stream so that it tells its tokens', async () => {
    const { send, seen } = await relay()
    await send({
      path: '/v1/chat/completions',
      body: { messages, stream: true, stream_options: { include_usage: false } },
    })
    expect(seen[0]?.body.stream_options).toEqual({ include_usage: true })
  })

  it.each<[string, object, boolean]>([
    ['asked for nothing', {}, false],
    ['asked for no usage', { stream_options: { include_usage: false } }, false],
    ['asked for the usage', { stream_options: { include_usage: true } }, true],
  ])('and hands the event without choices on to a program only if it %s', async (...[, asked, isShown]) => {
    const event = (value: object) => `data: ${JSON.stringify(value)}\n\n`
    const said = { choices: [{ index: 0, delta: { content: 'Grüße' }, finish_reason: 'stop' }], usage: null }
    const filter = { choices: [], prompt_filter_results: [] }
    const usage = event({ choices: [], usage: { prompt_tokens: 3, completion_tokens: 2 } })
    const kept = event(filter) + event(said)
    const whole = `${kept}${usage}data: [DONE]\n\n`
    // In pieces that end anywhere, as they come over a network.
    const bytes = Buffer.from(whole)
    const stream = Array.from({ length: Math.ceil(bytes.length / 7) }, (_, n) =>
      bytes.subarray(7 * n, 7 * n + 7),
    )
    const { send, replies } = await relay({ stream })
    const got = await send({ path: '/v1/chat/completions', body: { messages, stream: true, ...asked } })
    expect(got.replace(/\n+/g, '\n')).toBe(
      `200 ${kept}${isShown ? usage : ''}data: [DONE]\n\n`.replace(/\n+/g, '\n'),
    )
    expect(replies).toEqual([
      ['first', expect.objectContaining({ text: 'Grüße', tokens: { input: 3, output: 2, cached: null } })],
    ])
  })
})

describe('a relay refuses', () => {
  it.each<[string, Sent]>([
    ['an unknown role', { path: '/role/third/v1/chat/completions', body: { messages } }],
    ['a role with a way out', { path: '/role/first/../../v1/files', body: {} }],
    [
      'a role with an encoded way out',
      { path: '/role/first/%2e%2e/v1/chat/completions', body: { messages } },
    ],
    ['another host as target', { path: 'http://127.0.0.1:1/v1/chat/completions', body: { messages } }],
    ['two slashes', { path: '/role/first//v1/chat/completions', body: { messages } }],
    [
      'two roles',
      { path: '/v1/chat/completions', body: { messages }, headers: { 'x-bench-role': 'first, second' } },
    ],
    ['another format', { path: '/v1/messages', body: { messages } }],
    ['a path below that of a model', { path: '/v1/chat/completions/x', body: { messages } }],
    ['files', { path: '/v1/files', body: {} }],
    ['a list of files', { path: '/v1/files', method: 'GET' }],
    ['what the provider runs', { path: '/v1/chat/completions', body: { messages, web_search_options: {} } }],
    [
      'a list of models to fall back to',
      { path: '/v1/chat/completions', body: { messages, models: ['dear'] } },
    ],
    ['a parameter', { path: '/v1/chat/completions?key=sk-other', body: { messages } }],
    ['an account', { path: '/v1/chat/completions', body: { messages }, headers: { 'openai-project': 'p' } }],
  ])('%s, and nothing reaches the server', async (_, sent) => {
    const { send, seen, refused } = await relay()
    expect(await send(sent)).toMatchSnapshot()
    expect(seen).toEqual([])
    expect(refused()).toMatchObject({ total: 1 })
  })

  it('what a limit refuses, by its words and not as a request that it does not let pass', async () => {
    const { send, seen, refused } = await relay({ refuses: '3 of 3 calls used' })
    expect(await send({ path: '/v1/chat/completions', body: { messages } })).toMatch(
      /^403 .*"3 of 3 calls used"/,
    )
    expect([seen, refused()]).toEqual([[], undefined])
  })
})

it('a list of models has the one of the role, and no request goes out for it', async () => {
  const { send, seen, refused } = await relay()
  for (const [path, headers] of [
    ['/v1/models', {}],
    ['/role/second/v1beta/models?pageSize=50', {}],
    ['/models', { 'x-bench-role': 'second' }],
  ] as const) {
    const said = await send({ path, method: 'GET', headers })
    expect(said.slice(0, 3)).toBe('200')
    const { data, models } = JSON.parse(said.slice(4))
    expect([data.map(({ id }: { id: string }) => id), models[0].name]).toEqual([['own'], 'models/own'])
  }
  for (const path of ['/v1/models/gpt-9', '/role/second/v1beta/models/own']) {
    const said = await send({ path, method: 'GET' })
    expect(JSON.parse(said.slice(4))).toMatchObject({ id: 'own', name: 'models/own' })
  }
  expect(seen).toEqual([])
  expect(refused()).toBeUndefined()
})

it('what is refused is listed by the path that the program sent', async () => {
  const { send, refused } = await relay()
  const paths = ['/role/first/v1/files', '/v1/embeddings', '/role/second/v1beta/cachedContents']
  for (const path of paths) await send({ path })
  expect(refused()?.requests.map(({ path }) => path)).toEqual(paths)
})
