import { type Abort, type Dispatcher, type Handler, handOver, type RawHeaders } from './hand-over.ts'

type Fetch = typeof globalThis.fetch

/** Where `fetch` has its dispatcher for all to see, with the version of the interface in the name. */
const current = Symbol.for('undici.globalDispatcher.1')

/** Majors of undici whose `fetch` speaks that interface, too. */
const speaksIt = /^[67]\./.test(process.versions.undici ?? '')

/** `fetch` sends these, unless it is told otherwise. It lets replies be compressed, too. */
const usual = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'identity',
}

/** Bytes of a reply that may wait to be read before no more is taken from the connection; as many as `fetch` lets wait. */
const mostWaiting = 64 * 1024

/** Where `fetch` has had replies from. */
const reached = new Set<string>()

/**
 * `fetch` for the request that models are asked by, a POST of a text, without the objects that `fetch` makes for it, which
 * cost more of a call than the harness does. It goes through what `fetch` sends its own requests through: the same
 * connections, time limits, parser and proxy. A reply with status 200 and no coding is given as it comes; any other is
 * handed over to `fetch` when its head has come, and any other request before it is sent, so that redirects, codings and all
 * else that is special stay what `fetch` makes of them. Gives and throws what that does.
 */
export const post: Fetch = (input, init = {}) => {
  const url = speaksIt ? plainAddress(input, init) : undefined
  if (!url) return fetch(input, init)
  const dispatcher = (globalThis as { [current]?: Dispatcher })[current]
  // To some addresses `fetch` does not go, and its dispatcher comes with its first call.
  if (dispatcher && reached.has(url.origin)) return sent(url.href, url, init, dispatcher)
  return fetch(input, init).then((response) => {
    reached.add(url.origin)
    return response
  })
}

function sent(input: string, url: URL, init: RequestInit, dispatcher: Dispatcher): Promise<Response> {
  const { body, headers, signal } = init
  const request = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    body,
    headers: { ...usual, ...headers },
  }
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    let abortCall: Abort = () => {}
    let reading: ReadableStreamDefaultController | undefined
    let taker: Handler | undefined
    let isOver = false
    /** True for the first who ends it: what comes after that is nobody's. */
    const over = () => {
      signal?.removeEventListener('abort', abort)
      const isFirst = !isOver
      isOver = true
      return isFirst
    }
    const fail = (error: unknown) => {
      if (!over()) return
      reading?.error(error)
      reject(error)
    }
    const abort = () => {
      fail(signal?.reason)
      abortCall(signal?.reason)
    }
    signal?.addEventListener('abort', abort)
    const handler: Handler = {
      onConnect(abort) {
        abortCall = abort
        if (isOver) abort(signal?.reason)
      },
      onHeaders(...head) {
        const [status, headers, resume, statusText] = head
        if (status < 200) return true
        if (status === wrongServer) {
          over()
          abortCall()
          resolve(fetch(input, init))
          return true
        }
        const pairs = pairsOf(headers)
        if (status !== 200 || !plainText.test(statusText) || !pairs.every(isUsual)) {
          over()
          const handed = handOver(input, init, dispatcher, { head, abort: abortCall })
          taker = handed.handler
          resolve(handed.reply)
          return false
        }
        const stream = new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            start(controller) {
              reading = controller
            },
            pull: () => resume(),
            cancel(reason) {
              if (over()) abortCall(reason)
            },
          },
          { highWaterMark: mostWaiting, size: (part) => part?.byteLength ?? 0 },
        )
        resolve(new Response(stream, { status, statusText, headers: pairs }))
        return true
      },
      onData(part) {
        if (taker) return taker.onData(part)
        if (isOver) return true
        reading?.enqueue(part)
        return (reading?.desiredSize ?? 0) > 0
      },
      onComplete(trailers) {
        if (taker) taker.onComplete(trailers)
        else if (over()) reading?.close()
      },
      onError(error) {
        if (taker) taker.onError(error)
        else fail(new TypeError(reading ? 'terminated' : 'fetch failed', { cause: error }))
      },
    }
    try {
      dispatcher.dispatch(request, handler)
    } catch (error) {
      handler.onError(error)
    }
  })
}

/** Misdirected: `fetch` asks once more, on another connection. */
const wrongServer = 421

/** Where a request goes that nothing is special about, its address as `fetch` reads it; undefined for all others. */
function plainAddress(input: unknown, init: RequestInit): URL | undefined {
  const { method, headers, body, signal: _, redirect, ...more } = init
  // What is redirected is `fetch`'s, and that goes by it.
  if (redirect !== undefined && redirect !== 'manual') return undefined
  if (typeof input !== 'string' || method !== 'POST' || typeof body !== 'string' || body === '')
    return undefined
  if (!arePlain(headers) || Object.keys(more).length > 0 || !URL.canParse(input)) return undefined
  const url = new URL(input)
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return undefined
  // Whether a `?` with nothing after it is sent depends on the version.
  return url.search === '' && url.href.includes('?') ? undefined : url
}

/** True where `fetch` would send them as they are: without a type it makes one up. */
function arePlain(headers: RequestInit['headers']): headers is Record<string, string> {
  if (!headers || Object.getPrototypeOf(headers) !== Object.prototype) return false
  if (!Object.hasOwn(headers, 'content-type')) return false
  return Object.entries(headers).every(([name, value]) => plainName.test(name) && plainValue.test(value))
}

/** Without those by which the connection is controlled. */
const plainName =
  /^(?!(?:connection|content-length|expect|host|keep-alive|transfer-encoding|upgrade)$)[a-z\d-]+$/

const plainValue = /^[!-~](?:[ -~]*[!-~])?$/

const plainText = /^[ -~]*$/

/** Neither a coding nor what `Headers` would refuse or trim: servers send it, and `fetch` gives it as it came. */
const isUsual = ([name, value]: [string, string]) => usualName.test(name) && usualValue.test(value)

const usualName = /^(?!content-encoding$)[!#$%&'*+.^_`|~a-z\d-]+$/i

const usualValue = /^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]*[!-~\x80-\xff])?)?$/

// A dispatcher that goes by names may give several values for one.
const pairsOf = (headers: RawHeaders) =>
  headers.flatMap((name, i): [string, string][] =>
    i % 2
      ? []
      : [headers[i + 1] ?? []].flat().map((value) => [name.toString('latin1'), value.toString('latin1')]),
  )
