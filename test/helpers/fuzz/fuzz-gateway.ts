import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { forwardTo } from '../../../src/agents/gateway/forward.ts'
import { keyStandIn } from '../../../src/agents/gateway/key-guard.ts'
import { createMeter } from '../../../src/agents/gateway/meter.ts'
import { type OpenGateway, openGateway } from '../../../src/sandbox/gateway.ts'
import { gatewayRules } from '../agents/gateway-rules.ts'
import { fuzzOf } from './fuzz.ts'

/** With signs that encodings change. */
export const realKey = 'sk-REAL/key+4417=abc&def<"x">'

const bytes = Buffer.from(realKey)
const base64 = [0, 1, 2].map((shift) => {
  const digits = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
  return digits.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6))
})

/** The key in plain text and in its encodings. */
export const keyForms: readonly string[] = [
  realKey,
  JSON.stringify(realKey).slice(1, -1),
  encodeURIComponent(realKey),
  encodeURIComponent(realKey).replace(/%../g, (code) => code.toLowerCase()),
  bytes.toString('hex'),
  ...base64,
  ...base64.map((digits) => digits.replaceAll('+', '-').replaceAll('/', '_')),
]

/** Returns the forms of the key that a text contains. */
export const keysIn = (text: string) => keyForms.filter((form) => text.includes(form))

/** What reached a provider. */
export type ReceivedRequest = Pick<IncomingMessage, 'method' | 'url' | 'rawHeaders'> & { body: string }

const encoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => gzipSync(body),
  br: (body) => brotliCompressSync(body),
  deflate: (body) => deflateSync(body),
}

/**
 * A provider that tells everybody's secrets: it repeats all that it was asked, the key included, in every form that the
 * guard knows, in its status, its headers and its body, packed or cut into small pieces.
 */
export async function startLeakyProvider(
  port = 0,
): Promise<{ url: string; port: number; received: ReceivedRequest[]; server: Server }> {
  const received: ReceivedRequest[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    try {
      for await (const part of request) parts.push(part)
    } catch {
      return
    }
    const { method, url = '', rawHeaders } = request
    received.push({ method, url, rawHeaders, body: Buffer.concat(parts).toString('latin1') })
    const said = `${url} ${rawHeaders.join(' ')}`
    const header = said.replace(/[^\x20-\x7e]/g, '')
    const forms = [
      said,
      encodeURIComponent(realKey),
      ...keyForms,
      Buffer.from(said).toString('base64'),
      'the end',
    ]
    const plain = Buffer.from(`{"error":{"message":${JSON.stringify(forms.join(' | '))}}}\n`)
    const encoding = /[?&]as=(\w+)/.exec(url)?.[1] ?? request.headers['x-session-pack']?.toString() ?? ''
    const body = encoders[encoding]?.(plain) ?? plain
    response.statusMessage = header.slice(0, 500)
    response.writeHead(url.includes('moved') ? 307 : 404, {
      'content-type': 'application/json',
      'x-echo': header.slice(0, 4000),
      'x-base64': Buffer.from(header).toString('base64').slice(0, 4000),
      location: `http://127.0.0.9:1/${encodeURIComponent(realKey)}?${realKey}`,
      'set-cookie': [`a=${realKey}`, 'b=c'],
      ...(encoders[encoding] && { 'content-encoding': encoding }),
    })
    const size = url.length % 5 === 0 ? 7 : 211
    for (let at = 0; at < body.length; at += size) response.write(body.subarray(at, at + size))
    response.end()
  })
  await new Promise<void>((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve))
  const bound = (server.address() as AddressInfo).port
  return { url: `http://127.0.0.1:${bound}`, port: bound, received, server }
}

/** Starts servers that no program may reach. Returns a counter of their requests. */
export async function otherServers(
  ports: readonly number[],
): Promise<{ ports: number[]; reached(): number }> {
  let count = 0
  const places = [
    ...ports.map((port) => [port, '127.0.0.1'] as const),
    [0, '127.0.0.1'] as const,
    [0, '127.0.0.2'] as const,
  ]
  const bound: number[] = []
  for (const [port, host] of places) {
    const server = createTcpServer((socket) => {
      count++
      socket.on('error', () => {}).destroy()
    })
    const open = await new Promise<boolean>((resolve) => {
      server.on('error', () => resolve(false)).listen(port, host, () => resolve(true))
    })
    if (!open) continue
    bound.push((server.address() as AddressInfo).port)
    onTestFinished(() => void server.close())
  }
  return { ports: bound, reached: () => count }
}

/** Sends bytes as they are; gives what comes back until the connection is closed, a reply is whole, or nothing more comes for so many ms. */
export function sendRaw(
  gateway: Pick<OpenGateway, 'url' | 'socket'>,
  request: string,
  silence = 5000,
): Promise<string> {
  const { hostname, port } = new URL(gateway.url)
  return new Promise((resolve) => {
    const socket = gateway.socket ? connect(gateway.socket) : connect(Number(port), hostname)
    let reply = ''
    socket.on('data', (part) => {
      reply += part.toString('latin1')
      if (reply.endsWith('\r\n0\r\n\r\n')) socket.end()
    })
    socket.on('close', () => resolve(reply)).on('error', () => {})
    // Sooner would be to hang up, which takes a request back.
    socket.setTimeout(silence, () => socket.destroy())
    socket.write(request, 'latin1')
  })
}

const seldom = fc.constantFrom(
  '\\',
  '\t',
  '\u0000',
  '\u007f',
  '\u00e9',
  '\u00ff',
  '#',
  '%',
  '%00',
  '%0d%0a',
  '%5c',
  '%2f',
  '%2e%2e',
  '%252e%252e',
  '..',
  '..;',
  '//',
  '@',
  ':',
  '?',
  '&',
  ';',
)
const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)

/** Request targets: honest ones, and such as would lead elsewhere if they were joined, decoded or resolved. */
const targetsTo = (port: number, others: readonly number[]) => {
  const other = fc.constantFrom(...others.map((one) => `127.0.0.1:${one}`))
  const path = fc
    .array(fc.oneof({ weight: 4, arbitrary: word }, seldom), { maxLength: 6 })
    .map((parts) => parts.join('/'))
  const honest = fc.constantFrom('chat/completions', 'messages', 'v1/messages', 'models/m:generateContent')
  const as = fc.constantFrom(
    '',
    '?as=gzip',
    '?as=br',
    '?as=deflate',
    `?key=${keyStandIn}`,
    `?a=b&key=${keyStandIn}&as=br`,
    `?q=${keyStandIn}`,
    '?moved',
  )
  const own = fc.constantFrom(
    '',
    '',
    '?beta=true',
    '?alt=sse',
    `?key=${keyStandIn}`,
    `?alt=sse&key=${keyStandIn}`,
  )
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(honest, own).map(([path, query]) => `/base/v1/${path}${query}`) },
    fc.tuple(path, as).map(([path, as]) => `/base/v1/${path}${as}`),
    fc.constant(`/base/v1/models/${keyStandIn}`),
    fc.tuple(other, path).map(([host, path]) => `http://${host}/${path}`),
    fc
      .tuple(
        fc.constantFrom('//', '///', '/\\', '\\\\', '/%2f', '/%5c', '/base/v1/..//', '/base/v1//'),
        other,
        path,
      )
      .map(([sign, host, path]) => `${sign}${host}/${path}`),
    fc
      .tuple(fc.constantFrom('@', ':80@', 'x@', '.', '-', ':', 'munity://', '*'), other, path)
      .map(([sign, host, path]) => `${sign}${host}/${path}`),
    fc.tuple(fc.integer({ min: 0, max: 9 }), path).map(([digit, path]) => `${digit}/${path}`),
    fc.tuple(other, path).map(([host, path]) => `/base/v1/../../../${host}/${path}`),
    fc.constantFrom(
      '*',
      '',
      '/',
      '/base',
      '/base/v10/x',
      '/other',
      `http://127.0.0.1:${port}/base/v1/x`,
      `127.0.0.1:${port}`,
    ),
    fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replace(/[ \r\n]/g, '')),
  )
}

const standIn = fc.constantFrom(
  keyStandIn,
  `Bearer ${keyStandIn}`,
  `bearer  ${keyStandIn}`,
  `x${keyStandIn}`,
  `Bearer ${keyStandIn}, ${keyStandIn}`,
  Buffer.from(`u:${keyStandIn}`).toString('base64'),
)
const anyHeader = (others: readonly number[]) =>
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        'Authorization',
        'X-Api-Key',
        'x-goog-api-key',
        'api-key',
        'Cookie',
        'X-Echo',
        'Referer',
        'User-Agent',
      ),
      standIn,
    ),
    fc.tuple(
      fc.constantFrom(
        'Host',
        'Forwarded',
        'X-Forwarded-Host',
        'X-Forwarded-For',
        'X-Original-URL',
        'X-Rewrite-URL',
        'Proxy',
        'Proxy-Authorization',
        'Proxy-Connection',
        'Via',
        'X-HTTP-Method-Override',
      ),
      fc.constantFrom(...others.map((port) => `127.0.0.1:${port}`), keyStandIn, ''),
    ),
    fc.tuple(fc.constant('X-Session-Pack'), fc.constantFrom('gzip', 'br', 'deflate')),
    fc.tuple(
      fc.constant('Connection'),
      fc.constantFrom(
        'close',
        'keep-alive',
        'Upgrade',
        'authorization',
        'x-api-key, close',
        'host',
        'content-length',
      ),
    ),
    fc.tuple(
      fc.constantFrom('Upgrade', 'Expect', 'TE', 'Trailer', 'Range', 'Keep-Alive', 'HTTP2-Settings'),
      fc.constantFrom('websocket', 'h2c', '100-continue', 'trailers', 'bytes=0-5', 'x'),
    ),
    fc.tuple(
      fc.constantFrom('Transfer-Encoding', 'Content-Length'),
      fc.constantFrom(
        'chunked',
        'Chunked',
        'gzip, chunked',
        'identity',
        ' chunked',
        '0',
        '5',
        '-1',
        '1e1',
        '5, 5',
        '99999999999999999999',
      ),
    ),
    fc.tuple(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 40 })),
  )

/** What an agent asks its model. */
const hello = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hello' }] })

/** A request as bytes: mostly of the right form, with anything in it. */
const requestsTo = (port: number, others: readonly number[]) =>
  fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant('POST') },
        { weight: 1, arbitrary: fc.constant('GET') },
        fc.constantFrom(
          'CONNECT',
          'TRACE',
          'OPTIONS',
          'HEAD',
          'PUT',
          'DELETE',
          'PROPFIND',
          'MOVE',
          'get',
          'PRI',
          'X',
        ),
      ),
      target: targetsTo(port, others),
      version: fc.oneof(
        { weight: 8, arbitrary: fc.constant('HTTP/1.1') },
        fc.constantFrom('HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''),
      ),
      headers: fc.array(anyHeader(others), { maxLength: 4 }),
      body: fc.constantFrom(
        hello,
        hello,
        hello,
        'hello',
        JSON.stringify({ model: 'm', messages: [{ role: 'user', content: keyStandIn }] }),
        '5\r\nhello\r\n0\r\n\r\n',
        '0\r\n\r\nGET /other HTTP/1.1\r\nHost: x\r\n\r\n',
        'zz\r\n',
      ),
      hasLength: fc.constantFrom(true, true, true, false),
      isCut: fc.boolean(),
      cut: fc.integer({ min: 1, max: 4000 }),
    })
    .map(({ method, target, version, headers, body, hasLength, isCut, cut }) => {
      const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
      const length = hasLength ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : ''
      return `${method} ${target} ${version}\r\nHost: gateway\r\n${lines}${length}\r\n${body}`.slice(
        0,
        isCut ? cut : undefined,
      )
    })

/** A reply without the lengths between its pieces, which could stand in the middle of a key. */
const withoutChunks = (reply: string) => reply.replace(/\r\n[0-9a-f]{1,6}\r\n/g, '')

const mayHoldKey = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'api-key'])

/** Returns the parts of a request that contain the key but must not. */
function misplaced({ url = '', rawHeaders, body }: ReceivedRequest): string[] {
  const found = [...keysIn(url), ...keysIn(body)]
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = rawHeaders.slice(i, i + 2)
    if (
      mayHoldKey.has(name.toLowerCase())
        ? !/^(?:bearer +)?sk-REAL[^ ]*$/i.test(value) && keysIn(value).length > 0
        : keysIn(name + value).length > 0
    )
      found.push(`${name}: ${value}`)
  }
  return found
}

/** Programs send several requests at the same time. */
const atOnce = 10

/** Tests that a gateway leads only to its provider and gives the key to nobody else, whatever a program sends. */
export function fuzzGateway(runs: number, seed: number): void {
  const { check } = fuzzOf(runs / atOnce, seed)
  it(`a gateway leads only to its provider and reveals the key to nobody, ${runs} requests, seed ${seed}`, async () => {
    const provider = await startLeakyProvider()
    const others = await otherServers(
      [0, 1, 2].map((digit) => provider.port * 10 + digit).filter((port) => port < 65_536),
    )
    const base = `${provider.url}/base/v1`
    const gateways = [
      await openGateway(forwardTo(base, realKey, createMeter(), gatewayRules(['m'])), { isolated: false }),
      await openGateway(forwardTo(base, realKey, createMeter(), gatewayRules(['m'])), { isolated: true }),
    ]
    onTestFinished(async () => {
      for (const { close } of gateways) await close()
      provider.server.closeAllConnections()
      provider.server.close()
    })
    const honest = async (gateway: OpenGateway) => {
      const request = `POST /base/v1/chat/completions HTTP/1.1\r\nHost: x\r\nX-Session-Honest: yes\r\nAuthorization: Bearer ${keyStandIn}\r\nContent-Length: ${hello.length}\r\nConnection: close\r\n\r\n${hello}`
      expect(await sendRaw(gateway, request)).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
      const received = provider.received.find(({ rawHeaders }) => rawHeaders.includes('x-session-honest'))
      expect(received).toMatchObject({ method: 'POST', body: hello })
      expect(received?.rawHeaders).toContain(`Bearer ${realKey}`)
      provider.received.length = 0
    }
    let passed = 0
    let at = 0
    const request = requestsTo(provider.port, others.ports)
    await check([fc.array(request, { minLength: atOnce, maxLength: atOnce })], async (requests) => {
      const gateway = gateways[at++ % gateways.length] as OpenGateway
      const reply = await Promise.all(requests.map((request) => sendRaw(gateway, request, 100)))
      expect(reply.map(withoutChunks).flatMap(keysIn)).toEqual([])
      expect(provider.received.filter(({ url }) => !/^\/base\/v1(?:[/?]|$)/.test(url ?? ''))).toEqual([])
      expect(provider.received.flatMap(misplaced)).toEqual([])
      passed += provider.received.length
      provider.received.length = 0
      if (at % 10 === 0) await honest(gateway)
    })
    for (const gateway of gateways) await honest(gateway)
    expect(others.reached()).toBe(0)
    // A gateway that refuses all would pass as well.
    expect(passed).toBeGreaterThan(runs / 25)
  })
}
