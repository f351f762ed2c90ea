import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onLoopback } from './loopback.ts'

/** A request that a hook server got. */
export interface HookCall {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Starts a server on loopback that records its requests, and answers them as it is told; it ends with its test. */
export async function startHookServer(
  answer: (response: ServerResponse, call: number) => void = (response) => void response.end('ok'),
): Promise<{ url: string; calls: HookCall[] }> {
  const calls: HookCall[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    calls.push({ method, path: url, headers, body: await text(request) })
    answer(response, calls.length)
  })
  return { url: await onLoopback(server), calls }
}
