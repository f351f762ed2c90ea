import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A server on loopback that records all of its requests. */
export interface RecordingServer {
  /** `http://127.0.0.1:PORT`. */
  url: string
  /** Each request: its line, its headers and its body, as one text. */
  requests: string[]
  close(): void
}

/** Starts one that answers each request with status 404, or with a redirect. */
export async function startRecordingServer(
  redirect?: (path: string) => { status: number; to: string } | undefined,
): Promise<RecordingServer> {
  const requests: string[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request)
    requests.push(`${request.method} ${request.url}\n${request.rawHeaders.join('\n')}\n${body}`)
    const where = redirect?.(request.url ?? '/')
    if (where) response.writeHead(where.status, { location: where.to }).end()
    else response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":{"message":"nobody"}}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}
