import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { folderPrefix } from './folders/folder-owner.ts'
import type { Gateway } from './sandbox.ts'

const innerPort = 8080

/** Limit of concurrent connections, more than an honest program opens; further ones are closed. */
const maxConnections = 256

const timeouts = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 2_000 }

/** Records a request that came in no plain form, with the status of its answer, and returns the body of that. */
export type RefuseBelow = (asked: Partial<IncomingMessage>, status: number, problem: string) => string

/** The status of requests that cannot be read, by the error's code; others have 400. */
const statuses: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

/** A running gateway. */
export interface OpenGateway extends Gateway {
  close(): Promise<void>
}

/**
 * Opens a gateway: HTTP requests of the program inside go to `onRequest`. With `isolated` the program has its own network, in
 * which the gateway is the only address; `uid` is the user that the program runs as, if not the current one.
 */
export async function openGateway(
  onRequest: RequestListener,
  {
    isolated,
    uid,
    refuse = () => '',
  }: { isolated: boolean; uid?: number | undefined; refuse?: RefuseBelow | undefined },
): Promise<OpenGateway> {
  const { server, destroyAll } = boundedServer(onRequest, refuse)
  const folder = isolated ? mkdtempSync(join(realpathSync(tmpdir()), folderPrefix())) : undefined
  const socket = folder && join(folder, 'socket')
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    if (socket) server.listen(socket, resolve)
    else server.listen(0, '127.0.0.1', resolve)
  })
  if (folder && socket && uid !== undefined) for (const path of [folder, socket]) chownSync(path, uid, uid)
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : innerPort
  return {
    url: `http://127.0.0.1:${port}`,
    ...(socket && { socket }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          if (folder) rmSync(folder, { recursive: true, force: true })
          resolve()
        })
        destroyAll()
      }),
  }
}

/** Creates a server that the program inside cannot stop, overload or block. Anything but a plain request is refused. */
function boundedServer(
  onRequest: RequestListener,
  refuseBelow: RefuseBelow,
): { server: Server; destroyAll(): void } {
  const sockets = new Set<Socket>()
  const server = createServer(timeouts, (request, response) => {
    try {
      onRequest(request, response)
    } catch {
      if (response.headersSent) response.destroy()
      else response.writeHead(400, { connection: 'close' }).end()
    }
  })
  server.maxConnections = maxConnections
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  const refuse = (asked: Partial<IncomingMessage>, socket: Duplex, problem: string, status = 400) => {
    socket.on('error', () => {})
    const body = refuseBelow(asked, status, problem)
    if (!socket.writable) return socket.destroy()
    const headers = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}`
    const line = `HTTP/1.1 ${status} ${STATUS_CODES[status]}`
    socket.end(`${line}\r\n${headers}\r\n\r\n${body}`, () => socket.destroy())
  }
  server.on('connect', (asked, socket) => refuse(asked, socket, 'asks for a tunnel (CONNECT)'))
  server.on('upgrade', (asked, socket) => refuse(asked, socket, 'asks for another protocol (Upgrade)'))
  server.on('checkExpectation', (asked) => {
    refuse(asked, asked.socket, 'expects what no server does (Expect)', 417)
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { code = '' } = error
    // A connection that ends is no request.
    if (/^HPE_(?!INVALID_EOF_STATE)|^ERR_HTTP_REQUEST_TIMEOUT$/.test(code) && socket.writable)
      refuse({}, socket, `is not HTTP that can be read (${code})`, statuses[code])
    else socket.destroy()
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { server, destroyAll }
}
