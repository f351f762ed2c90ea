import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server listen on loopback until the test has finished, and returns its URL. */
export async function onLoopback(server: Server | HttpServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    if ('closeAllConnections' in server) server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
