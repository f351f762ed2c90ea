import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { forwardTo, refuseBelow } from '../../src/agents/gateway/forward.ts'
import { keyStandIn } from '../../src/agents/gateway/key-guard.ts'
import { createMeter } from '../../src/agents/gateway/meter.ts'
import { openGateway } from '../../src/sandbox/gateway.ts'
import { gatewayRules } from '../helpers/agents/gateway-rules.ts'
import {
  model,
  own,
  type SideRequest,
  sideRequests,
  withFields,
  withPart,
} from '../helpers/agents/side-requests.ts'
import { sendRaw } from '../helpers/fuzz/fuzz-gateway.ts'

const data = 'data:image/png;base64,AA'
const chatFields = {
  ...{ modalities: ['text'], random_seed: 1, safe_prompt: false, prompt_mode: 'reasoning' },
  ...{ service_tier: 'on_demand', do_sample: true, request_id: 'r', guided_json: {}, structured_outputs: {} },
  ...{ skip_special_tokens: true, stop_token_ids: [1], min_tokens: 1, ignore_eos: false, length_penalty: 1 },
  ...{ repetition_penalty: 1, min_p: 0, top_k: 1, cache_prompt: true, grammar: 'root::=', samplers: 'x' },
  ...{ keep_alive: '5m', options: { num_ctx: 8192 }, functions: [{ name: 'f', parameters: {} }] },
  tools: [{ type: 'custom', custom: { name: 'c' } }],
}

/** Requests of a model alone, as libraries and servers of vendors know them. */
const fairRequests: readonly SideRequest[] = [
  ...[
    'alt=json',
    '$alt=json;enum-encoding=int',
    '%24alt=json%3Benum-encoding%3Dint',
    'prettyPrint=false',
  ].map((query): SideRequest => ({ ...own.gemini, name: query, path: `${own.gemini.path}?${query}` })),
  { ...own.chat, name: 'api-version', path: `${own.chat.path}?api-version=2024-10-21` },
  { ...own.chat, name: 'an organisation that is empty', headers: { 'openai-organization': '' } },
  ...Object.entries(chatFields).map(([field, value]) => withFields('chat', { [field]: value })),
  withFields('chat', {
    messages: [
      {
        ...{ role: 'assistant', content: null, refusal: null, annotations: [], reasoning_content: 'x' },
        ...{ reasoning_details: [{ type: 'reasoning.text' }], tool_calls: [{ id: '1', extra_content: {} }] },
      },
      { role: 'tool', tool_call_id: '1', name: 'f', content: 'x' },
    ],
  }),
  withPart('chat', { type: 'file', file: { filename: 'a', file_data: data } }),
  withFields('responses', { modalities: ['text'], context_management: [] }),
  withFields('responses', { store: null }),
  withFields('responses', {
    input: [
      { type: 'compaction', encrypted_content: 'x' },
      { type: 'reasoning', id: 'r', summary: [], encrypted_content: 'x' },
      {
        type: 'computer_call_output',
        call_id: 'c',
        output: { type: 'computer_screenshot', image_url: data },
      },
      { type: 'message', role: 'assistant', id: 'm', status: 'completed', content: [] },
      { type: 'function_call', id: 'f', call_id: 'c', name: 'f', arguments: '{}', status: 'completed' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      { type: 'shell_call_output', call_id: 's', output: [{ stdout: '', stderr: '', outcome: {} }] },
    ],
  }),
  ...['auto', 'standard_only'].map((tier) => withFields('messages', { service_tier: tier })),
  withFields('messages', { mcp_servers: [], context_management: [], speed: 'standard' }),
  withFields('messages', {
    tools: [
      { type: 'text_editor_20250728', name: 'x', max_characters: 1 },
      { type: null, name: 'f' },
    ],
  }),
  withPart('messages', { type: 'tool_use', id: '1', name: 'f', input: {}, caller: { type: 'direct' } }),
  withPart('messages', { type: 'thinking', thinking: 'x', signature: 's' }),
  withPart('messages', {
    type: 'search_result',
    source: 's',
    title: 't',
    content: [{ type: 'text', text: 'x' }],
  }),
  ...['_responseJsonSchema', 'responseJsonSchema'].map((field) =>
    withFields('gemini', { generationConfig: { [field]: {}, responseModalities: ['TEXT'] } }),
  ),
  withFields('gemini', { labels: { a: 'b' }, cachedContent: '' }),
]

interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** A provider that writes down all that it gets, behind a gateway. */
async function gatewayTo(rules = gatewayRules([model])) {
  const received: Received[] = []
  const provider = createServer(async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    received.push({ method, path, headers, body: (await buffer(incoming)).toString() })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
  const gateway = await openGateway(forwardTo(base, 'sk-a-real-key', createMeter(), rules), {
    isolated: false,
    refuse: refuseBelow(rules),
  })
  onTestFinished(async () => {
    await gateway.close()
    provider.closeAllConnections()
    provider.close()
  })
  const { hostname, port } = new URL(gateway.url)
  const send = ({ method = 'POST', path, headers, body, raw }: SideRequest) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      const bytes = Buffer.from(raw ?? (body === undefined ? '' : JSON.stringify(body)))
      const own = {
        'x-api-key': keyStandIn,
        'content-type': 'application/json',
        'content-length': bytes.length,
      }
      const sent = request(
        { hostname, port, method, path, headers: { ...own, ...headers } },
        async (reply) => {
          resolve({ status: reply.statusCode ?? 0, text: await text(reply).catch(() => '') })
        },
      )
      sent.on('error', reject).end(bytes)
    })
  return { received, rules, send, url: gateway.url }
}

/** Whether a text is an error as the vendor of a path writes it. */
const isVendorError = (path: string, text: string) => {
  const { type, error } = JSON.parse(text)
  if (/\/messages\b/.test(path) !== (type === 'error')) return false
  if (/v1beta|generateContent/.test(path) !== (typeof error.code === 'number')) return false
  return (
    typeof error.message === 'string' && error.message.startsWith('bench does not let this request pass: it ')
  )
}

it(`none of ${sideRequests.length} requests beside an agent's own passes, and each is told in the vendor's form and counted`, async () => {
  const { received, rules, send } = await gatewayTo()
  expect(sideRequests.length).toBeGreaterThan(120)
  let count = 0
  for (const one of sideRequests) {
    const { status, text } = await send(one).catch(() => ({ status: 413, text: '' }))
    expect(received, one.name).toEqual([])
    expect([400, 403, 413, 415], one.name).toContain(status)
    if (one.method !== 'HEAD' && text !== '')
      expect(isVendorError(one.path, text), `${one.name}: ${text}`).toBe(true)
    expect(rules.refusals.read()?.total, one.name).toBe(++count)
  }
  const { requests = [] } = rules.refusals.read() ?? {}
  expect(requests).toHaveLength(20)
  expect(requests[0]).toEqual({ method: 'GET', path: '/v1/models', reason: 'is no POST', times: 1 })
})

it('with --allow-provider-tools only what the provider runs passes, and its names are kept', async () => {
  for (const one of sideRequests) {
    const { received, rules, send } = await gatewayTo(gatewayRules([model], { allowProviderTools: true }))
    await send(one).catch(() => {})
    const isOther = /"models?": ?\[?(?:\{"id":)?"dear"/.test(JSON.stringify(one.body) ?? '')
    if (one.tool === undefined || isOther) expect(received, one.name).toEqual([])
    else {
      expect(received, one.name).toHaveLength(1)
      expect(rules.refusals.tools(), one.name).toContain(one.tool)
    }
  }
}, 60_000)

describe.each(Object.entries(own))("an agent's own request, on the wire %s", (wire, asked) => {
  it('passes as JSON that is made anew, with the key', async () => {
    const { received, rules, send } = await gatewayTo()
    expect(await send({ name: wire, ...asked })).toEqual({ status: 200, text: '{}' })
    const [one] = received as [Received]
    expect([one.method, one.path, JSON.parse(one.body)]).toEqual(['POST', asked.path, asked.body])
    expect(one.headers).toMatchObject({
      'x-api-key': 'sk-a-real-key',
      'content-length': String(one.body.length),
    })
    expect(rules.refusals.read()).toBeUndefined()
  })

  it('keeps every digit of a number, lone surrogates and fields of any name', async () => {
    const { received, send } = await gatewayTo()
    const odd = '{"n":12345678901234567890,"f":1.50,"e":1e400,"s":"\\ud800","constructor":{"a":1}}'
    const [field] = Object.keys(asked.body).filter((name) => name !== 'model' && name !== 'store')
    const named = (schema: string) => `{"name":"f","${schema}":${odd}}`
    const tools = {
      gemini: `[{"functionDeclarations":[${named('parameters')}]}]`,
      chat: `[{"type":"function","function":${named('parameters')}}]`,
      messages: `[${named('input_schema')}]`,
      responses: `[{"type":"custom","name":"f","format":${odd}}]`,
    }[wire]
    const raw = `{"model":"${model}","store":false,"${field}":[],"tools":${tools}}`
    const fitting = wire === 'responses' ? raw : raw.replace('"store":false,', '')
    expect(await send({ name: wire, path: asked.path, raw: fitting })).toMatchObject({ status: 200 })
    expect(received[0]?.body).toBe(fitting)
  })
})

it('a field that is doubled says one thing: the last', async () => {
  const { received, send } = await gatewayTo()
  const raw = `{"model":"dear","model":"${model}","messages":[],"n":1,"n":2}`
  await send({ name: 'doubled', path: '/v1/chat/completions', raw })
  expect(received[0]?.body).toBe(`{"model":"${model}","messages":[],"n":2}`)
})

it('images and files that stand in the request itself pass', async () => {
  const { received, send } = await gatewayTo()
  const image = 'data:image/png;base64,AAAA'
  const parts = {
    messages: {
      messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'base64', data: 'AA' } }] }],
    },
    responses: {
      input: [{ role: 'user', content: [{ type: 'input_image', image_url: image, file_id: null }] }],
    },
    chat: { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: image } }] }] },
    gemini: { contents: [{ role: 'user', parts: [{ inline_data: { mimeType: 'image/png', data: 'AA' } }] }] },
  }
  for (const [wire, more] of Object.entries(parts)) {
    const { path, body } = own[wire as keyof typeof own]
    expect(await send({ name: wire, path, body: { ...body, ...more } }), wire).toMatchObject({ status: 200 })
  }
  expect(received).toHaveLength(4)
})

it.each(fairRequests)(
  '$name is a matter of the model alone, and passes',
  async ({ path, body, headers = {} }) => {
    const { received, rules, send } = await gatewayTo()
    expect(await send({ name: '', path, body, headers })).toMatchObject({ status: 200 })
    expect(received.map((one) => one.path)).toEqual([path])
    expect(JSON.parse(received[0]?.body ?? '')).toEqual(
      JSON.parse(JSON.stringify(body).replace('"store":null', '"store":false')),
    )
    expect(rules.refusals.read()).toBeUndefined()
  },
)

it.each([
  ['CONNECT', 'CONNECT api:443 HTTP/1.1\r\nHost: api\r\n\r\n', 400],
  ['Upgrade', 'GET /v1 HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n', 400],
  ['Expect', 'POST /v1/messages HTTP/1.1\r\nHost: x\r\nExpect: magic\r\nContent-Length: 0\r\n\r\n', 417],
  ['HPE_', '\x16\x03\x01 hello\r\n\r\n', 400],
  ['HPE_', 'POST /v1 HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n', 400],
])('what comes in no plain request is told and counted, too: %s', async (word, raw, status) => {
  const { received, rules, url } = await gatewayTo()
  const reply = await sendRaw({ url }, raw)
  expect(Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1])).toBe(status)
  expect(reply).toContain('bench does not let this request pass')
  const refused = rules.refusals.read()
  expect([received, refused?.total]).toEqual([[], 1])
  expect(refused?.requests[0]?.reason).toContain(word)
})

it('OpenAI is told to store no reply where a program does not say so', async () => {
  const { received, send } = await gatewayTo()
  await send({ name: 'responses', path: '/v1/responses', body: { model, input: 'hi' } })
  expect(JSON.parse(received[0]?.body ?? '')).toEqual({ model, input: 'hi', store: false })
})
