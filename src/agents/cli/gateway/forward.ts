import {
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { createKeyGuard, type KeyGuard } from './key-guard.ts'
import type { Meter, Recorder } from './meter.ts'
import { decodeBody, passReply } from './pass-reply.ts'
import { headersProblem, headersToProvider } from './request-headers.ts'
import { targetOf } from './request-target.ts'

/** Allowed methods. TRACE would repeat the key, and no provider's API uses the others. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Maximum number of requests in one call, which bounds the memory of the meter. */
const mostRequests = 100_000

/**
 * Forwards a CLI's requests to its provider, and to no other server. The path must be below the provider's own, the body is
 * passed unchanged, and in the key headers the key replaces its stand-in. Any other request gets a 400, and an unreachable
 * provider gives a 502. The meter records every POST.
 */
export function forwardTo(baseUrl: string, key: string | undefined, meter: Meter): RequestListener {
  const base = new URL(baseUrl)
  const guard = createKeyGuard(key)
  let requests = 0
  return async (incoming, response) => {
    // A broken client connection needs no handling.
    for (const end of [incoming, response]) end.on('error', () => {})
    const method = incoming.method ?? ''
    const target = targetOf(incoming.url ?? '', base)
    if ('problem' in target) return refuse(incoming, response, 400, `the request target ${target.problem}`)
    const problem = methods.has(method) ? headersProblem(incoming) : 'has a method that is not allowed'
    if (problem !== undefined) return refuse(incoming, response, 400, `the request ${problem}`)
    if (++requests > mostRequests)
      return refuse(incoming, response, 429, `this call has reached its limit of ${mostRequests} requests`)
    const body = await readBody(incoming)
    if (body === undefined) return
    if (body === 'too long') return refuse(incoming, response, 413, 'the request is longer than 32 MB')
    // Only a POST calls a model; lists of models and the like use GET.
    const admitted = method === 'POST' ? await meter.admit(body, goneSignal(response)) : undefined
    if (admitted && 'refused' in admitted) return refuse(incoming, response, 403, admitted.refused)
    if (method === 'POST' && !admitted) return
    const recorder = admitted && meter.begin(target.path, admitted)
    let outgoing: ClientRequest
    try {
      const headers = headersToProvider(incoming, key, target.hasKeyParameter)
      outgoing = askProvider(base, target.path, method, headers)
    } catch (error) {
      // No connection was made.
      recorder?.recordBreak('EPROTO')
      return refuse(incoming, response, 400, `the request cannot be passed on (${codeOf(error)})`)
    }
    recorder?.recordRequest(Readable.from([body]))
    passOn(body, outgoing, response, guard, recorder)
  }
}

/** Maximum length of a request's body; bytes. */
const longestBody = 32 * 1024 ** 2

/** Reads the body of a request, which says what it may use; undefined if the program left before its end. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | 'too long' | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      length += (chunk as Buffer).length
      if (length > longestBody) return 'too long'
      chunks.push(chunk as Buffer)
    }
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

/** Returns a signal that aborts when the program has closed its connection. */
function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

/** Refuses every request, for a program that has no provider. */
export const refuseEveryRequest: RequestListener = (incoming, response) =>
  refuse(incoming, response, 403, 'this agent has no baseUrl')

/** Starts a request to the provider. Host, port and protocol never depend on the path. */
function askProvider(base: URL, path: string, method: string, headers: OutgoingHttpHeaders): ClientRequest {
  const { protocol, hostname, port } = urlToHttpOptions(base)
  if (new URL(path, base.origin).origin !== base.origin)
    throw new TypeError('the path leads to another origin')
  const ask = protocol === 'https:' ? requestHttps : requestHttp
  return ask({ protocol, hostname, port, path, method, headers })
}

function passOn(
  body: Buffer,
  outgoing: ClientRequest,
  response: ServerResponse,
  guard: KeyGuard,
  recorder: Recorder | undefined,
): void {
  const fail = (error: unknown) => {
    recorder?.recordBreak((error as NodeJS.ErrnoException).code)
    outgoing.destroy()
    if (response.headersSent) response.destroy()
    else refuse(undefined, response, 502, `the provider cannot be reached (${codeOf(error)})`)
  }
  outgoing.on('error', fail)
  outgoing.on('upgrade', (_, socket) => {
    socket.destroy()
    fail(new Error('it speaks another protocol'))
  })
  outgoing.on('response', (answer) => {
    // The reader of the body handles this error; this listener covers a reply that nobody reads any more.
    answer.on('error', () => {})
    try {
      const decoded = decodeBody(answer)
      if (!decoded) return fail(new Error('its encoding is not known'))
      recorder?.recordReply(answer, decoded)
      passReply(answer, decoded, response, guard)
    } catch (error) {
      fail(error)
    }
  })
  response.on('close', () => {
    recorder?.recordLeft()
    outgoing.destroy()
  })
  outgoing.end(body)
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'no connection'

function refuse(
  incoming: IncomingMessage | undefined,
  response: ServerResponse,
  status: number,
  message: string,
): void {
  const type = status === 502 ? 'server_error' : status === 403 ? 'permission_error' : 'invalid_request_error'
  // The rest of the request is discarded.
  incoming?.resume()
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ error: { message, type } }))
}
