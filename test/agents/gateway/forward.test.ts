import { once } from 'node:events'
import { createServer, type RequestListener, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { forwardTo, refuseEveryRequest } from '../../../src/agents/gateway/forward.ts'
import { createKeyGuard, keyStandIn } from '../../../src/agents/gateway/key-guard.ts'
import { createMeter, type Meter } from '../../../src/agents/gateway/meter.ts'
import { openGateway } from '../../../src/sandbox/gateway.ts'
import { gatewayRules } from '../../helpers/agents/gateway-rules.ts'
import {
  keyForms,
  keysIn,
  otherServers,
  type ReceivedRequest,
  realKey,
  sendRaw,
  startLeakyProvider,
} from '../../helpers/fuzz/fuzz-gateway.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { ok, says, serve } from '../../helpers/servers/raw-server.ts'

/** A gateway to an address, for a program whose model is `m`. */
async function gatewayTo(baseUrl: string, key: string | undefined = realKey, meter: Meter = createMeter()) {
  const gateway = await openGateway(forwardTo(baseUrl, key, meter, gatewayRules(['m'])), { isolated: false })
  onTestFinished(() => gateway.close())
  return gateway
}

/** Starts a provider that repeats its requests, behind a gateway to a path of it. */
async function echo(path = '/base/v1', key?: string) {
  const provider = await startLeakyProvider()
  onTestFinished(() => {
    provider.server.closeAllConnections()
    provider.server.close()
  })
  return { provider, gateway: await gatewayTo(provider.url + path, key) }
}

const asked = (target: string, headers = '', method = 'GET') =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`
/** What an agent asks its model. */
const hello = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
const askedModel = (target: string, headers = '', body = hello) =>
  asked(target, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`, 'POST') + body
const chat = '/chat/completions'
const statusOf = (reply: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(reply)?.[1])

/** The headers that reached a provider, by name. */
const headersOf = ({ rawHeaders }: ReceivedRequest) =>
  Object.fromEntries(
    rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), rawHeaders[i + 1]]] : [])),
  )

describe('the gateway appends only a path to its provider’s address', () => {
  const elsewhere = [
    'munity://x/v1',
    'host://steal',
    'http://127.0.0.1:1/x',
    'HTTP://127.0.0.1:1/x',
    '//127.0.0.1:1/x',
    '///127.0.0.1/x',
    '/\\127.0.0.1/x',
    '\\\\127.0.0.1\\x',
    '/%2f127.0.0.1/x',
    '/%5c127.0.0.1/x',
    '@127.0.0.1:1/x',
    'user:word@127.0.0.1/x',
    ':1/x',
    '1/x',
    '.evil.example/x',
    '-evil.example/x',
    '*',
    '?x',
    'base/v1/x',
    '127.0.0.1:1',
    '/base/v1\t/x',
    '/base/v1/%0d%0aHost:%20evil',
    '/base/v1/%00',
    '/base/v1/\u00e9',
    '/base/v1/x#y',
    '/base/v1/%zz',
  ]
  const upwards = [
    '/',
    '/base',
    '/base/v10/x',
    '/BASE/v1/x',
    '/other',
    '/base/v1/../../admin',
    '/base/v1/..',
    '/base/v1/./x',
    '/base/v1/%2e%2e/x',
    '/base/v1/.%2E/x',
    '/base/v1/%252e%252e/x',
    '/base/v1/%25252e%25252e/x',
    '/base/v1/x%2f..%2f..%2fadmin',
    '/base/v1/..;/admin',
    '/base/v1/..;a=b/admin',
    '/base/v1/%c0%ae%c0%ae/x',
    `/base/v1/%${'25'.repeat(20)}2e%${'25'.repeat(20)}2e/x`,
  ]
  it.each([...elsewhere, ...upwards])('and answers 400 to %j, which reaches no server', async (target) => {
    const { provider, gateway } = await echo()
    const others = await otherServers([provider.port * 10 + 1].filter((port) => port < 65_536))
    const reply = await sendRaw(gateway, asked(target, `Authorization: Bearer ${keyStandIn}\r\n`))
    expect(statusOf(reply), reply).toBe(400)
    expect([provider.received, others.reached()]).toEqual([[], 0])
  })

  it.each(['/base/v1/chat/completions', '/base/v1/v1/chat/completions', '/base/v1/messages?beta=true'])(
    'and passes %j on unchanged',
    async (target) => {
      const { provider, gateway } = await echo()
      expect(statusOf(await sendRaw(gateway, askedModel(target)))).toBe(404)
      expect(provider.received.map(({ url }) => url)).toEqual([target])
    },
  )

  it.each([
    '/base/v1/models/m:streamGenerateContent?alt=sse',
    '/base/v1/v1beta/models/m:generateContent',
    '/base/v1/models/%6D:generateContent',
  ])('and passes %j on, whose path names the model', async (target) => {
    const { provider, gateway } = await echo()
    expect(statusOf(await sendRaw(gateway, askedModel(target, '', '{"contents":[]}')))).toBe(404)
    expect(provider.received.map(({ url }) => url)).toEqual([target])
  })

  it.each(tableOf<string[]>(import.meta.url, 'answersWhich'))(
    'and answers 403 to %j, which asks no model of the agent',
    async (target) => {
      const { provider, gateway } = await echo()
      expect(statusOf(await sendRaw(gateway, askedModel(target)))).toBe(403)
      expect(provider.received).toEqual([])
    },
  )

  it.each(['', '/', '/v1', '/v1/', '/a/b%20c'])('and supports a provider below %j', async (base) => {
    const { provider, gateway } = await echo(base)
    const path = `${base.replace(/\/$/, '')}${chat}`
    expect(statusOf(await sendRaw(gateway, askedModel(path)))).toBe(404)
    expect(provider.received.map(({ url }) => url)).toEqual([path])
  })

  it('and does not follow the provider’s redirects', async () => {
    const others = await otherServers([])
    const [port] = others.ports
    const { url } = await serve(says(`HTTP/1.1 307 x\r\nlocation: http://127.0.0.1:${port}/?${realKey}`))
    const reply = await sendRaw(await gatewayTo(url), askedModel(chat))
    expect(statusOf(reply)).toBe(307)
    expect(reply).toContain(`location: http://127.0.0.1:${port}/?${keyStandIn}`)
    expect(others.reached()).toBe(0)
  })
})

describe('the gateway refuses', () => {
  it.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'MOVE', 'COPY'])(
    'the method %s',
    async (method) => {
      const { provider, gateway } = await echo('')
      expect(statusOf(await sendRaw(gateway, asked(chat, '', method)))).toBe(403)
      expect(statusOf(await sendRaw(gateway, asked(`127.0.0.1:${provider.port}`, '', method)))).toBe(400)
      expect(provider.received).toEqual([])
    },
  )

  it('the method CONNECT', async () => {
    const { provider, gateway } = await echo('')
    for (const target of ['/x', `127.0.0.1:${provider.port}`])
      expect(statusOf(await sendRaw(gateway, asked(target, '', 'CONNECT')))).toBe(400)
    expect(provider.received).toEqual([])
  })

  it.each(['websocket', 'h2c'])('an upgrade to %s', async (protocol) => {
    const { provider, gateway } = await echo('')
    const request = `GET /x HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`
    expect(statusOf(await sendRaw(gateway, request))).toBe(400)
    expect(provider.received).toEqual([])
  })

  it.each([
    ['both lengths', 'Content-Length: 3\r\nTransfer-Encoding: chunked\r\n'],
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4\r\n'],
    ['a length that is none', 'Content-Length: +3\r\n'],
    ['another coding', 'Transfer-Encoding: gzip, chunked\r\n'],
    ['a coding that is none', 'Transfer-Encoding: xchunked\r\n'],
    ['a header that goes on in the next line', 'X-A: b\r\n c: d\r\n e\u0000: f\r\n'],
    ['a name with a space', 'Transfer-Encoding : chunked\r\n'],
  ])('a request with %s', async (_, headers) => {
    const { provider, gateway } = await echo('')
    const reply = await sendRaw(gateway, `${asked('/x', headers, 'POST')}0\r\n\r\n`, 1000)
    expect(statusOf(reply)).toBe(400)
    expect(provider.received).toEqual([])
  })

  it('headers of 100 KB', async () => {
    const { provider, gateway } = await echo('')
    const reply = await sendRaw(gateway, asked('/x', `X-Long: ${'x'.repeat(100_000)}\r\n`))
    expect(['', 'HTTP/1.1 431 Request Header Fields Too Large']).toContain(reply.split('\r\n')[0])
    expect(provider.received).toEqual([])
  })

  it('every request of a program without a provider', async () => {
    const rules = gatewayRules()
    const gateway = await openGateway(refuseEveryRequest(rules), { isolated: false })
    onTestFinished(() => gateway.close())
    expect(statusOf(await sendRaw(gateway, asked('/v1')))).toBe(403)
    expect(rules.refusals.read()).toMatchObject({ total: 1, requests: [{ method: 'GET', path: '/v1' }] })
  })
})

describe('the gateway’s key', () => {
  it('replaces the stand-in in key headers and nowhere else', async () => {
    const { provider, gateway } = await echo('')
    const headers = [
      `Authorization: bearer ${keyStandIn}`,
      `X-Api-Key: ${keyStandIn}`,
      `x-goog-api-key: ${keyStandIn}`,
      `api-key: ${keyStandIn}`,
      `Cookie: a=${keyStandIn}`,
      `User-Agent: ${keyStandIn}`,
    ]
    const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: keyStandIn }] })
    const reply = await sendRaw(gateway, askedModel(chat, `${headers.join('\r\n')}\r\n`, body))
    expect(keysIn(reply)).toEqual([])
    const [received] = provider.received as [ReceivedRequest]
    expect([received.url, received.body]).toEqual([chat, body])
    expect(headersOf(received)).toMatchObject({
      authorization: `bearer ${realKey}`,
      'x-api-key': realKey,
      'x-goog-api-key': realKey,
      'api-key': realKey,
      'user-agent': keyStandIn,
    })
    expect(headersOf(received)).not.toHaveProperty('cookie')
  })

  it.each([
    `${keyStandIn}x`,
    `Bearer ${keyStandIn}, ${keyStandIn}`,
    `Bearer x ${keyStandIn}`,
    `"${keyStandIn}"`,
  ])('does not replace the stand-in in the header value %j', async (value) => {
    const { provider, gateway } = await echo('')
    await sendRaw(gateway, askedModel(chat, `Authorization: ${value}\r\n`))
    expect(headersOf(provider.received[0] as ReceivedRequest).authorization).toBe(value)
  })

  it('moves from Google’s parameter into Google’s header', async () => {
    const { provider, gateway } = await echo('')
    const target = `/v1beta/models/m:generateContent?alt=sse&key=${keyStandIn}`
    await sendRaw(gateway, askedModel(target, '', '{"contents":[]}'))
    const [received] = provider.received as [ReceivedRequest]
    expect(received.url).toBe('/v1beta/models/m:generateContent?alt=sse')
    expect(headersOf(received)['x-goog-api-key']).toBe(realKey)
  })

  it('is omitted together with its stand-in if there is no key', async () => {
    const provider = await startLeakyProvider()
    onTestFinished(() => void provider.server.close())
    const forward = forwardTo(provider.url, undefined, createMeter(), gatewayRules())
    const gateway = await openGateway(forward, { isolated: false })
    onTestFinished(() => gateway.close())
    const sent = `Authorization: Bearer ${keyStandIn}\r\nX-Api-Key: ${keyStandIn}\r\n`
    await sendRaw(gateway, askedModel(chat, sent))
    const headers = headersOf(provider.received[0] as ReceivedRequest)
    expect([headers.authorization, headers['x-api-key']]).toEqual([undefined, undefined])
    provider.server.closeAllConnections()
  })

  it.each(['gzip', 'br', 'deflate', 'none'])(
    'comes back in no header, status or body, packed as %s, and the stand-in does',
    async (packed) => {
      const { provider, gateway } = await echo('')
      const headers = `Authorization: Bearer ${keyStandIn}\r\nAccept-Encoding: gzip, br\r\nX-Session-Pack: ${packed}\r\n`
      const reply = (await sendRaw(gateway, askedModel(chat, headers))).replace(/\r\n[0-9a-f]+\r\n/g, '')
      expect(keysIn(reply)).toEqual([])
      expect(reply).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
      expect(reply).toContain(`Bearer ${keyStandIn}`)
      expect(reply).toContain('the end')
      expect(headersOf(provider.received[0] as ReceivedRequest)['accept-encoding']).toBe('identity')
    },
  )

  it('comes back in no name of a header, and in small or large letters nowhere', async () => {
    const key = 'sk-Real-4417-aBcDeF'
    const forms = [key, Buffer.from(key).toString('base64url'), Buffer.from(key).toString('hex')]
    const cases = forms.flatMap((form) => [form, form.toLowerCase(), form.toUpperCase()])
    const names = [...cases, `x-${key}-y`].map((name) => `${name}: ${key.toLowerCase()} ${key.toUpperCase()}`)
    const { url } = await serve(says(`${ok}\r\n${names.join('\r\n')}`, key.toUpperCase()))
    const reply = await sendRaw(await gatewayTo(url, key), askedModel(chat))
    expect(statusOf(reply)).toBe(200)
    for (const form of cases.filter((_, i) => i % 3 === 1)) expect(reply.toLowerCase()).not.toContain(form)
    expect(reply).toContain(keyStandIn)
  })

  it.each(keyForms.map((form) => ({ form })))(
    'is found as $form wherever a reply is cut',
    async ({ form }) => {
      const text = `data: ${form}|${form}\n${form}`
      for (let at = 1; at < text.length; at++) {
        const stream = createKeyGuard(realKey).stream()
        stream.write(text.slice(0, at))
        stream.end(text.slice(at))
        let reply = ''
        for await (const part of stream) reply += part
        expect(keysIn(reply)).toEqual([])
        expect(reply.split(keyStandIn)).toHaveLength(4)
      }
    },
  )

  it('does not delay text that cannot be a part of it', async () => {
    const stream = createKeyGuard(realKey).stream()
    const reply: string[] = []
    stream.on('data', (part: Buffer) => reply.push(part.toString()))
    stream.write('data: {"text":"hello sk-RE"}\n\n')
    await sleep(1)
    expect(reply.join('')).toBe('data: {"text":"hello sk-RE"}\n\n')
  })

  it('is found in a long line that comes byte by byte', async () => {
    for (const form of keyForms) {
      const stream = createKeyGuard(realKey).stream()
      const text = `${'x'.repeat(3000)}|${form}|${'y'.repeat(3000)}`
      const parts: string[] = []
      stream.on('data', (part: Buffer) => parts.push(part.toString('latin1')))
      for (const sign of text) stream.write(sign)
      stream.end()
      await once(stream, 'end')
      expect(parts.join('')).toBe(`${'x'.repeat(3000)}|${keyStandIn}|${'y'.repeat(3000)}`)
    }
  })

  it('changes no byte of a reply that does not contain it', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 256))
    const stream = createKeyGuard(realKey).stream()
    for (let at = 0; at < bytes.length; at += 1013) stream.write(bytes.subarray(at, at + 1013))
    stream.end()
    const parts: Buffer[] = []
    for await (const part of stream) parts.push(part)
    expect(Buffer.concat(parts).equals(bytes)).toBe(true)
  })
})

describe('the gateway passes', () => {
  it('no header of the connection, of another client or host, nor any that Connection names', async () => {
    const { provider, gateway } = await echo('')
    const dropped = [
      'Forwarded: for=1',
      'X-Forwarded-For: 1',
      'X-Forwarded-Host: evil',
      'X-Original-URL: /admin',
      'X-Rewrite-URL: /admin',
      'X-HTTP-Method-Override: DELETE',
      'Proxy: http://evil',
      'Proxy-Authorization: Basic x',
      'Proxy-Connection: keep-alive',
      'Via: evil',
      'TE: trailers',
      'Trailer: x',
      'Keep-Alive: timeout=9',
      'Expect: 100-continue',
      'Range: bytes=0-5',
      'X-Own: mine',
      'Host: evil',
      'X-Of-Tomorrow: 1',
      'OpenAI-Organization: ',
    ]
    const length = `Content-Length: ${hello.length}\r\nContent-Encoding: identity\r\nContent-MD5: x\r\nX-Stainless-Lang: js`
    const request = `POST ${chat} HTTP/1.1\r\n${dropped.join('\r\n')}\r\n${length}\r\nConnection: close, X-Own\r\n\r\n`
    await sendRaw(gateway, request + hello)
    const [received] = provider.received as [ReceivedRequest]
    expect(headersOf(received)).toEqual({
      'x-stainless-lang': 'js',
      'content-type': 'application/json',
      'content-length': String(hello.length),
      'accept-encoding': 'identity',
      host: `127.0.0.1:${provider.port}`,
      connection: expect.any(String),
    })
  })

  it('a body by its length and in chunks, and the next request separately', async () => {
    const { provider, gateway } = await echo('/v1')
    const chunked = `${hello.length.toString(16)}\r\n${hello}\r\n0\r\n\r\n`
    await sendRaw(gateway, askedModel(`/v1${chat}`))
    await sendRaw(gateway, asked(`/v1${chat}`, 'Transfer-Encoding: Chunked\r\n', 'POST') + chunked)
    expect(provider.received.map(({ body }) => body)).toEqual([hello, hello])
    provider.received.length = 0
    const smuggled = 'GET /admin HTTP/1.1\r\nHost: x\r\n\r\n'
    await sendRaw(gateway, `${askedModel(`/v1${chat}`).replace('close', 'keep-alive')}${smuggled}`, 300)
    expect(provider.received.map(({ url }) => url)).toEqual([`/v1${chat}`])
  })

  it('a reply in an unknown encoding as a 502', async () => {
    const { url } = await serve(says(`${ok}\r\ncontent-encoding: zstd`, 'xyz'))
    expect(statusOf(await sendRaw(await gatewayTo(url), askedModel(chat)))).toBe(502)
  })

  it('a compressed reply that breaks off as broken off, after the part that arrived', async () => {
    const packed = gzipSync('the beginning '.repeat(5000))
    const { url } = await serve((socket) => {
      socket.write(`${ok}\r\ncontent-encoding: gzip\r\ncontent-length: ${packed.length}\r\n\r\n`)
      socket.write(packed.subarray(0, packed.length - 20), () => socket.destroy())
    })
    const reply = await sendRaw(await gatewayTo(url), askedModel(chat))
    expect(reply).toContain('the beginning')
    expect(reply.endsWith('0\r\n\r\n')).toBe(false)
  })

  it('the usage of a compressed reply to its meter', async () => {
    const completion = JSON.stringify({
      object: 'chat.completion',
      choices: [{ finish_reason: 'stop' }],
      usage: { prompt_tokens: 7, completion_tokens: 3 },
    })
    const packs = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }
    for (const [name, pack] of Object.entries(packs)) {
      const { url } = await serve(
        says(`${ok}\r\ncontent-type: application/json\r\ncontent-encoding: ${name}`, pack(completion)),
      )
      const meter = createMeter()
      await sendRaw(await gatewayTo(url, realKey, meter), askedModel(chat))
      expect(meter.read().tokens).toMatchObject({ input: 7, output: 3 })
    }
  })
})

describe('the gateway keeps running', () => {
  const strange: [string, string][] = [
    ['that changes its protocol', 'HTTP/1.1 101 x\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['with a status of 999', 'HTTP/1.1 999 x\r\ncontent-length: 0\r\n\r\n'],
    ['with a status of 0', 'HTTP/1.1 000 x\r\ncontent-length: 0\r\n\r\n'],
    ['with a header that is none', 'HTTP/1.1 200 OK\r\nx y: \u0001\r\n\r\n'],
    [
      'with two lengths',
      'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['that is no HTTP', 'SSH-2.0-x\r\n'],
    ['that is no gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc'],
    ['of nothing', ''],
  ]
  it.each(strange)('after a reply %s', async (_, reply) => {
    const { url } = await serve((socket) => socket.end(reply, 'latin1'))
    const gateway = await gatewayTo(url)
    await sendRaw(gateway, askedModel(chat), 1000)
    await sendRaw(gateway, askedModel(chat), 1000)
    expect(statusOf(await sendRaw(gateway, asked('*')))).toBe(400)
  })

  it('when its handler throws, and answers 400', async () => {
    const broken: RequestListener = () => {
      throw new TypeError('Invalid URL')
    }
    const gateway = await openGateway(broken, { isolated: false })
    onTestFinished(() => gateway.close())
    expect(statusOf(await sendRaw(gateway, asked('/x')))).toBe(400)
    expect(statusOf(await sendRaw(gateway, asked('/x')))).toBe(400)
  })

  it('with a key that is not a valid header value, and answers 400', async () => {
    const gateway = await gatewayTo('http://127.0.0.1:9', 'a key with a\nline 123')
    const request = askedModel(chat, `Authorization: Bearer ${keyStandIn}\r\n`)
    expect(statusOf(await sendRaw(gateway, request))).toBe(400)
  })

  it('while programs close connections in the middle of requests and replies', async () => {
    const { provider, gateway } = await echo('')
    const { hostname, port } = new URL(gateway.url)
    for (let i = 0; i < 200; i++) {
      const socket = connect(Number(port), hostname).on('error', () => {})
      await once(socket, 'connect')
      socket.write(asked(chat, 'Content-Length: 100000\r\n', 'POST') + 'x'.repeat(i * 100))
      if (i % 2) await sleep(1)
      socket.resetAndDestroy()
    }
    expect(statusOf(await sendRaw(gateway, askedModel(chat)))).toBe(404)
    await expect.poll(() => connections(provider.server)).toBeLessThan(10)
  })

  it('until it is closed with all open connections', async () => {
    const { url } = await serve(() => {})
    const forward = forwardTo(url, realKey, createMeter(), gatewayRules())
    const gateway = await openGateway(forward, { isolated: false })
    const waiting = request(`${gateway.url}${chat}`, { method: 'POST' }).end(hello)
    const failed = once(waiting, 'error')
    await sleep(20)
    await gateway.close()
    await failed
    const again = createServer().listen(Number(new URL(gateway.url).port), '127.0.0.1')
    await once(again, 'listening')
    expect((again.address() as AddressInfo).port).toBe(Number(new URL(gateway.url).port))
    again.close()
  })
})

const connections = (server: ReturnType<typeof createServer>) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))
