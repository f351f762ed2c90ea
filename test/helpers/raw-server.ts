import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect } from 'vitest'
import { post } from '../../src/agents/http/post.ts'

/** One request as it stood on the wire. */
export interface Asked {
  /** Method, path and body. */
  line: string
  headers: Record<string, string>
  socket: Socket
}

/** What a server does on a request. */
export type Reply = (socket: Socket, asked: Asked) => void

const servers: Server[] = []
const sockets = new Set<Socket>()

/** Closes all servers of a test and all connections to them. */
export async function closeServers(): Promise<void> {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
}

afterEach(closeServers)

/** A server that says what it is told to say, byte for byte, and keeps what it was asked. */
export async function serve(reply: Reply): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (part) => {
      text += part.toString('latin1')
      for (;;) {
        const end = text.indexOf('\r\n\r\n')
        if (end < 0) return
        const [first = '', ...lines] = text.slice(0, end).split('\r\n')
        const headers = Object.fromEntries(
          lines.map((line) => [
            line.slice(0, line.indexOf(':')).toLowerCase(),
            line.slice(line.indexOf(':') + 2),
          ]),
        )
        const length = Number(headers['content-length'] ?? 0)
        if (text.length < end + 4 + length) return
        const [method, path] = first.split(' ')
        const line = `${method} ${path} ${text.slice(end + 4, end + 4 + length)}`
        text = text.slice(end + 4 + length)
        if (path === '/first') {
          socket.write(`${ok}\r\ncontent-length: 0\r\n\r\n`)
          continue
        }
        asked.push({ line, headers, socket })
        reply(socket, asked.at(-1) as Asked)
      }
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  // `post` goes its own way from the second call to an address on.
  await (await post(`${url}/first`, question())).text()
  await freed()
  return { url, asked }
}

/** A whole reply: its status line with headers, and a body of known length. */
export const says = (head: string, body: string | Buffer = ''): Reply => {
  const bytes = Buffer.from(body)
  return (socket) =>
    socket.write(Buffer.concat([Buffer.from(`${head}\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]))
}

/** Where `fetch` speaks another language than this, all is left to it. */
export const isShort = /^[67]\./.test(process.versions.undici ?? '')

/** Where `fetch` keeps its dispatcher. */
export const current = Symbol.for('undici.globalDispatcher.1')

/** A connection is free for the next call one turn after its reply. */
export const freed = () => sleep(1)

export const ok = 'HTTP/1.1 200 OK'

/** What the model objects ask. */
export const question = (more: RequestInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', authorization: 'Bearer none', 'x-api-key': 'none' },
  body: '{"a":"b"}',
  ...more,
})

/** All that a caller sees of a call, reply or error. */
export async function told(call: Promise<Response>): Promise<unknown> {
  try {
    const response = await call
    const { ok, status, statusText, headers } = response
    const head = { ok, status, statusText, headers: [...headers] }
    return { ...head, ...(await response.text().then((text) => ({ text }), broken)) }
  } catch (error) {
    return broken(error as Failed)
  }
}

type Failed = Error & { cause?: Error & { code?: string } }

const broken = (error: Failed) => ({
  error: [error.name, error.message, error.cause?.name, error.cause?.code, error.cause?.message].map((word) =>
    word?.replace(/127\.0\.0\.1:\d+/g, 'there'),
  ),
})

/** The same call by both, each at a server of its own; gives what both say, and what the server was asked. */
export async function both(reply: Reply, init: RequestInit = question(), path = '/v1/messages') {
  const ends = await Promise.all(
    [fetch, post].map(async (how) => {
      const { url, asked } = await serve(reply)
      return { told: await told(how(url + path, init)), asked: asked.map(({ line }) => line), all: asked }
    }),
  )
  const [byFetch, byPost] = ends as [(typeof ends)[0], (typeof ends)[0]]
  expect([byPost.told, byPost.asked]).toEqual([byFetch.told, byFetch.asked])
  return { ...byPost, byFetch }
}
