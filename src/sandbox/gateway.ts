import { chownSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderPrefix } from './folder-owner.ts'
import type { Gateway } from './sandbox.ts'

/** Where an agent in a sandbox of its own finds the gateway. */
const innerPort = 8080

/** A gateway that is open. */
export interface OpenGateway extends Gateway {
  close(): Promise<void>
}

/**
 * Opens a way out of a sandbox: HTTP requests of the program inside come to `onRequest`. `isolated` says that the program
 * has a network of its own, with nothing in it but this; then `uid` is the user that it runs as, where that is not ours.
 */
export async function openGateway(
  onRequest: RequestListener,
  { isolated, uid }: { isolated: boolean; uid?: number | undefined },
): Promise<OpenGateway> {
  const server = createServer(onRequest)
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
        server.closeAllConnections()
      }),
  }
}
