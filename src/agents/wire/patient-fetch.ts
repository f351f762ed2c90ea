type Fetch = typeof globalThis.fetch

/**
 * Time limits of a connection, in ms; 0 means no limit. Node's own `fetch` gives up after 300 s without headers or between two pieces of the
 * body, however long the ask may take. Connecting still ends after 10 s.
 */
const timeLimits = { headersTimeout: 0, bodyTimeout: 0 }

/**
 * How long an idle connection is used again, in ms. Servers close one after some seconds without a word, and a request that is just then on its
 * way is lost: nobody could say whether it was read, and paid. Servers that name a longer time are not believed either, on a busy machine.
 */
const idleLimits = { keepAliveTimeout: 1000, keepAliveMaxTimeout: 1000 }

let loaded: Promise<Fetch> | undefined

/** Loads a `fetch` that waits for a server as long as its signal lets it. All calls share its connections. */
export function loadPatientFetch(): Promise<Fetch> {
  loaded ??= import('undici').then(({ Agent, fetch }) => {
    const dispatcher = new Agent({ ...timeLimits, ...idleLimits })
    // The types of the package and of Node differ in details that no request here has.
    const send = fetch as unknown as (input: unknown, init: object) => Promise<Response>
    return (input, init) => send(input, { ...init, dispatcher }).catch(proxyRefusal)
  })
  return loaded
}

/** Returns the refusal of a proxy, which `fetch` alone turns into an error without a message. Throws all other errors. */
function proxyRefusal(error: unknown): Response {
  const { cause } = (error ?? {}) as { cause?: unknown }
  const isRefusal = cause instanceof Error && cause.message === '' && !('code' in cause)
  if (!isRefusal) throw error
  return new Response(null, { status: 407, statusText: 'Proxy Authentication Required' })
}

/** How much of the body of a refusal is read; bytes. Its words come first, and it may be endless. */
const longestRefusal = 256 * 1024

/** Returns the beginning of a body. Behind it the rest is not read, and its connection is closed. */
export function limitedBody(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  let room = longestRefusal
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await reader.read()
      if (value) {
        controller.enqueue(value.subarray(0, room))
        room -= value.length
      }
      if (done || room <= 0) controller.close()
      if (!done && room <= 0) await reader.cancel().catch(() => {})
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
