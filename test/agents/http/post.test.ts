import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { post } from '../../../src/agents/http/post.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

async function serve(onRequest: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(onRequest).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`, server }
}

const ask = (url: string, more: RequestInit = {}) =>
  post(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":"ü"}', ...more })

/** What a promise rejects with. */
const thrown = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it did not reject'),
    (error: unknown) => error as Error & { cause?: Error },
  )

describe('post', () => {
  it('sends the text and its headers and gives status, headers and body as fetch does', async () => {
    const { url } = await serve(async (request, response) => {
      const { method, headers } = request
      response.writeHead(418, 'a teapot', { 'retry-after': '7', 'set-cookie': ['a=1', 'b=2'] })
      response.end(JSON.stringify({ method, kind: headers['content-type'], body: await textOf(request) }))
    })
    for (const one of [
      await ask(url),
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"a":"ü"}',
      }),
    ]) {
      expect([one.ok, one.status, one.statusText]).toEqual([false, 418, 'a teapot'])
      expect([one.headers.get('retry-after'), one.headers.get('set-cookie')]).toEqual(['7', 'a=1, b=2'])
      expect(await one.json()).toEqual({ method: 'POST', kind: 'application/json', body: '{"a":"ü"}' })
    }
  })

  it('gives the parts of a reply as they come, not at its end', async () => {
    let finish = () => {}
    const { url } = await serve((_, response) => {
      response.write('first')
      finish = () => response.end('last')
    })
    const reader = ((await ask(url)).body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('first')
    finish()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('last')
    expect((await reader.read()).done).toBe(true)
  })

  it('takes no more from the server than a slow reader asks for, and loses nothing of it', async () => {
    let sent = 0
    const part = Buffer.alloc(64 * 1024, 'x')
    const parts = 1_000
    const { url } = await serve((_, response) => {
      const more = () => {
        while (sent < parts) {
          sent++
          if (!response.write(part)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    const reader = ((await ask(url)).body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(sent).toBeLessThan(parts / 2)
    let length = part.length
    await reader.read().then(function add({ value, done }): unknown {
      length = (length === part.length ? 0 : length) + (value?.length ?? 0)
      return done ? undefined : reader.read().then(add)
    })
    expect(sent).toBe(parts)
  })

  it('makes calls one after another on one connection', async () => {
    const sockets = new Set<Socket>()
    const { url } = await serve((request, response) => {
      sockets.add(request.socket)
      response.end('whole')
    })
    for (let i = 0; i < 3; i++) expect(await (await ask(url)).text()).toBe('whole')
    expect(sockets.size).toBe(1)
  })

  it('fails as fetch does where nobody listens, and where the reply breaks off', async () => {
    const { url, server } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('begun')
      setTimeout(() => response.destroy(), 20)
    })
    const broken = await thrown(ask(url).then((response) => response.text()))
    expect([broken.name, broken.message]).toEqual(['TypeError', 'terminated'])
    expect(broken.cause).toBeInstanceOf(Error)
    server.close()
    const refused = await thrown(ask(url))
    expect([refused.name, refused.message]).toEqual(['TypeError', 'fetch failed'])
    expect(refused.cause?.message).toContain('ECONNREFUSED')
  })

  it('ends with the reason of an abort: before it, while nothing has come, and within the reply', async () => {
    const closed: string[] = []
    const { url } = await serve((request, response) => {
      const path = request.headers['x-case'] as string
      request.socket.on('close', () => closed.push(path))
      if (path === 'within') response.write('begun')
    })
    const reason = new Error('enough')
    expect(await thrown(ask(url, { signal: AbortSignal.abort(reason) }))).toBe(reason)

    const waiting = new AbortController()
    setTimeout(() => waiting.abort(reason), 50)
    expect(await thrown(ask(url, { headers: { 'x-case': 'waiting' }, signal: waiting.signal }))).toBe(reason)

    const within = new AbortController()
    const { body } = await ask(url, { headers: { 'x-case': 'within' }, signal: within.signal })
    const reader = (body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    within.abort(reason)
    expect(await thrown(reader.read())).toBe(reason)
    await expect.poll(() => closed).toEqual(['waiting', 'within'])
  })

  it('closes the connection of a reply that nobody reads to its end', async () => {
    let closed = false
    const { url } = await serve((request, response) => {
      request.socket.on('close', () => (closed = true))
      response.write('begun')
    })
    const { body } = await ask(url)
    await body?.cancel()
    await expect.poll(() => closed).toBe(true)
  })

  it('reads what a server compresses, and fails where it cannot', async () => {
    const codings = { gzip: gzipSync('whole'), odd: brotliCompressSync('whole') }
    const { url } = await serve((request, response) => {
      const coding = request.headers['x-coding'] as keyof typeof codings
      response.writeHead(200, { 'content-encoding': coding }).end(codings[coding])
    })
    expect(await (await ask(url, { headers: { 'x-coding': 'gzip' } })).text()).toBe('whole')
    expect((await thrown(ask(url, { headers: { 'x-coding': 'odd' } }))).message).toBe('fetch failed')
  })

  it('leaves a call to fetch where a proxy from the environment is wanted', async () => {
    vi.stubEnv('NODE_USE_ENV_PROXY', '1')
    vi.stubGlobal('fetch', async (url: string) => new Response(`through ${url}`))
    try {
      expect(await (await ask('http://127.0.0.1:9/v1')).text()).toBe('through http://127.0.0.1:9/v1')
    } finally {
      vi.unstubAllEnvs()
      vi.unstubAllGlobals()
    }
  })

  it('leaves a redirect to fetch, body and all', async () => {
    const { url } = await serve(async (request, response) => {
      if (request.url === '/elsewhere') response.end(`${request.method} ${await textOf(request)}`)
      else response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect(await (await ask(url)).text()).toBe('POST {"a":"ü"}')
  })
})
