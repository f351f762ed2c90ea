import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { folderPrefix } from './folders/folder-owner.ts'
import type { Gateway } from './sandbox.ts'

/** The port of the gateway inside an isolated sandbox. */
const innerPort = 8080

/** Limit of concurrent connections, more than an honest program opens; further ones are closed. */
const maxConnections = 256

/** Timeouts of a request; ms. */
const timeouts = { headersTimeout: 20_000, requestTimeout: 300_000, connectionsCheckingInterval: 2_000 }

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
  { isolated, uid }: { isolated: boolean; uid?: number | undefined },
): Promise<OpenGateway> {
  const { server, destroyAll } = boundedServer(onRequest)
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

/** Creates a server that the program inside cannot stop, overload or block. Anything but a plain request is answered 400. */
function boundedServer(onRequest: RequestListener): { server: Server; destroyAll(): void } {
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
  const refuse = (_: unknown, socket: Duplex) => {
    socket.on('error', () => {})
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', () =>
      socket.destroy(),
    )
  }
  server.on('connect', refuse).on('upgrade', refuse)
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return { server, destroyAll }
}
