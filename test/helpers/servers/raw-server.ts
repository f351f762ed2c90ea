import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach } from 'vitest'

/** One raw request. */
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
async function closeServers(): Promise<void> {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
}

afterEach(closeServers)

/** Starts a server that replies with given bytes and stores its requests. */
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
        asked.push({ line, headers, socket })
        reply(socket, asked.at(-1) as Asked)
      }
    })
  }).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

/** A whole reply: its status line with headers, and a body of known length. */
export const says = (head: string, body: string | Buffer = ''): Reply => {
  const bytes = Buffer.from(body)
  return (socket) =>
    socket.write(Buffer.concat([Buffer.from(`${head}\r\ncontent-length: ${bytes.length}\r\n\r\n`), bytes]))
}

export const ok = 'HTTP/1.1 200 OK'
