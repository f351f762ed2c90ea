import type { ClientRequest, IncomingMessage } from 'node:http'

/** How long a provider may stay silent, before its reply and within; ms. As long as `fetch` waits. */
const silenceMs = 300_000

/** How long a connection may take to come about; ms. The same. */
const connectMs = 10_000

/** Parts of a reply that may wait to be read before no more is taken from the connection. */
const waitingParts = 16

type Fetch = typeof globalThis.fetch

/**
 * `fetch` for the one kind of request that models are asked by, a POST of a text: over Node's own HTTP client with its
 * shared connections, since `fetch` costs more of a call than all that the harness does. It gives and throws what `fetch`
 * does; whatever else is asked, and what a redirect leads to, is left to that.
 */
export const post: Fetch = (input, init = {}) => {
  const { body, headers, signal } = init
  // The first Nodes with proxies from the environment have them in `fetch` alone.
  const isPlain = typeof input === 'string' && isRecord(headers) && !process.env.NODE_USE_ENV_PROXY
  if (!isPlain || typeof body !== 'string') return fetch(input, init)
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const why = (what: string, error: Error) =>
      signal?.aborted ? signal.reason : new TypeError(what, { cause: error })
    // What is lazy of HTTPS is not loaded for a server on this machine.
    const { request } = process.getBuiltinModule(input.startsWith('https:') ? 'node:https' : 'node:http')
    const call = request(input, {
      method: 'POST',
      headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
      timeout: silenceMs,
    })
    let answer: IncomingMessage | undefined
    // Without an error a reply under way would end and tell nobody.
    const end = (error: Error) => (answer ?? call).destroy(error)
    const abort = () => end(new Error('aborted'))
    signal?.addEventListener('abort', abort, { once: true })
    call
      .on('error', (error) => reject(why('fetch failed', error)))
      .on('close', () => signal?.removeEventListener('abort', abort))
      .on('timeout', () => end(new Error(`nothing was heard for ${silenceMs / 1000} s`)))
      .on('response', (response) => {
        answer = response
        if (isRedirect(response)) {
          response.resume()
          return resolve(fetch(input, init))
        }
        try {
          resolve(responseOf(response, (error) => why('terminated', error)))
        } catch (error) {
          end(error as Error)
          reject(why('fetch failed', error as Error))
        }
      })
    limitConnecting(call, input)
    call.end(body)
  })
}

function limitConnecting(call: ClientRequest, url: string): void {
  call.on('socket', (socket) => {
    if (!socket.connecting) return
    const late = () => call.destroy(new Error(`no connection within ${connectMs / 1000} s`))
    const timer = setTimeout(late, connectMs)
    const settled = () => clearTimeout(timer)
    socket.once(url.startsWith('https:') ? 'secureConnect' : 'connect', settled).once('close', settled)
  })
}

function responseOf(answer: IncomingMessage, why: (error: Error) => unknown): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = answer
  const headers = Object.entries(answer.headers).map(([name, value]): [string, string] => [
    name,
    Array.isArray(value) ? value.join(', ') : (value ?? ''),
  ])
  if ([204, 205, 304].includes(status)) {
    answer.resume()
    return new Response(null, { status, statusText, headers })
  }
  return new Response(decoded(bodyOf(answer, why), answer), { status, statusText, headers })
}

function bodyOf(
  answer: IncomingMessage,
  why: (error: Error) => unknown,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      start(controller) {
        answer
          .on('data', (part: Buffer<ArrayBuffer>) => {
            controller.enqueue(part)
            if ((controller.desiredSize ?? 0) <= 0) answer.pause()
          })
          .on('end', () => controller.close())
          .on('error', (error) => controller.error(why(error)))
      },
      pull: () => void answer.resume(),
      cancel: () => void answer.destroy(),
    },
    { highWaterMark: waitingParts },
  )
}

/** Some servers compress what nobody asked them to. */
function decoded(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { headers }: IncomingMessage,
): ReadableStream {
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (coding === 'identity' || coding === '') return body
  const known = coding === 'x-gzip' ? 'gzip' : coding
  return body.pipeThrough(new DecompressionStream(known as 'gzip'))
}

const isRedirect = ({ statusCode = 0, headers }: IncomingMessage) =>
  [301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined

const isRecord = (headers: unknown): headers is Record<string, string> =>
  typeof headers === 'object' && headers !== null && !Array.isArray(headers) && !(headers instanceof Headers)
