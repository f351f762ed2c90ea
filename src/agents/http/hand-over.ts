/** What `fetch` itself sends its requests through: undici's Dispatcher, by the interface that Node 20 to 25 have. */
export interface Dispatcher {
  dispatch(options: Readonly<Record<string, unknown>>, handler: Handler): boolean
}

/** Whoever hears what becomes of a request. */
export interface Handler {
  onConnect(abort: Abort): void
  /** With false no part of the body comes before `resume` is called. */
  onHeaders(status: number, headers: RawHeaders, resume: () => void, statusText: string): boolean | undefined
  /** The same. */
  onData(part: Uint8Array<ArrayBuffer>): boolean | undefined
  onComplete(trailers: unknown): void
  onError(error: unknown): void
}

/** Ends a request and its connection. */
export type Abort = (reason?: unknown) => void

/** Name, value, name, value. */
export type RawHeaders = readonly (Buffer | readonly Buffer[])[]

/** A reply that has begun, its body held back. */
export interface Begun {
  head: Parameters<Handler['onHeaders']>
  abort: Abort
}

/** The reply is another's now. */
export interface HandedOver {
  reply: Promise<Response>
  /** Must be told what else comes of the request. */
  handler: Handler
}

/**
 * Gives a reply that has begun to `fetch`, as if that had sent the request: what it makes of redirects, codings and
 * statuses is its own. The request is not sent again; what `fetch` sends after it, where a redirect leads, goes through the
 * dispatcher.
 */
export function handOver(
  input: string,
  init: RequestInit,
  dispatcher: Dispatcher,
  { head, abort }: Begun,
): HandedOver {
  const [, , resume] = head
  let taker: Handler | undefined
  let broken: unknown
  const giving: Dispatcher = {
    dispatch(options, handler) {
      if (taker) return dispatcher.dispatch(options, handler)
      taker = handler
      handler.onConnect(abort)
      // Not at once: the reply is held back when its head has been dealt with, and this may be within that.
      if (handler.onHeaders(...head) !== false) queueMicrotask(resume)
      if (broken) handler.onError(broken)
      return true
    },
  }
  const reply = fetch(input, { ...init, dispatcher: giving as Dispatcher & RequestInit['dispatcher'] })
  // Aborted before it took the reply.
  reply.catch((reason) => {
    if (!taker) abort(reason)
  })
  return {
    reply,
    handler: {
      onConnect: () => {},
      onHeaders: () => true,
      onData: (part) => taker?.onData(part),
      onComplete: (trailers) => taker?.onComplete(trailers),
      onError(error) {
        broken = error
        taker?.onError(error)
      },
    },
  }
}
