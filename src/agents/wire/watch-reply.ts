import { createEventSplitter, type StreamEvent } from './event-stream.ts'
import { tryParseJson } from './json.ts'
import { eventsOfWhole, withoutCounts } from './mend-part.ts'
import { newObservedReply, type ObservedReply, observePart } from './observe-reply.ts'

type Fetch = typeof globalThis.fetch

/** What came over the wire in one call. */
export interface WireReply extends ObservedReply {
  /** HTTP status; undefined if no reply came. */
  status: number | undefined
  contentType: string
  /** Number of parts that could be read: events, lines, or a whole reply. */
  parts: number
  /** The beginning of a body of which no part could be read. */
  head: string
}

/** Returns the wire of a call that got no reply yet. */
export const newWireReply = (): WireReply => ({
  ...newObservedReply(),
  status: undefined,
  contentType: '',
  parts: 0,
  head: '',
})

/** Returns a `fetch` for one call that records in `wire` what the server sends, and passes it on without its counts. */
export function watchReply(send: Fetch, wire: WireReply): Fetch {
  return async (input, init) => {
    const response = await send(input, init)
    wire.status = response.status
    wire.contentType = response.headers.get('content-type') ?? ''
    if (!response.ok || !response.body) return response
    const { status, statusText, headers } = response
    return new Response(response.body.pipeThrough(watcher(wire)), { status, statusText, headers })
  }
}

/** Maximum length of a whole reply or of what stands before the first event; characters. A longer one is not a model's. */
const longestWhole = 32 * 1024 * 1024
const longestHead = 4_000

function watcher(wire: WireReply): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const encoder = new TextEncoder()
  const splitter = createEventSplitter()
  let before: string[] = []
  let length = 0
  const take = (event: StreamEvent) => passedOn(wire, event)
  return new TransformStream({
    transform(bytes, controller) {
      const piece = decoder.decode(bytes, { stream: true })
      const events = splitter.add(piece)
      if (wire.parts === 0 && length <= longestWhole) {
        before.push(piece)
        length += piece.length
      }
      const lines = events.map(take).join('')
      if (wire.parts > 0) before = []
      if (lines !== '') controller.enqueue(encoder.encode(lines))
    },
    flush(controller) {
      const rest = splitter.end()
      const isWhole = rest?.data !== undefined && isReadable(rest.data)
      const last = rest && isWhole ? take(rest) : ''
      const lines = wire.parts > 0 ? last : wholeOf(wire, before.join(''))
      if (lines !== '') controller.enqueue(encoder.encode(lines))
    },
  })
}

const end = '[DONE]'

/** Records an event and returns it as it is passed on. */
function passedOn(wire: WireReply, { data, lines }: StreamEvent): string {
  if (data === undefined) return ''
  const text = data.trim()
  if (text === end) {
    wire.parts++
    wire.ended = true
    return lines
  }
  const part = tryParseJson(text)
  wire.parts++
  if (part === undefined) {
    wire.unreadable = true
    return lines
  }
  observePart(wire, part)
  const mended = withoutCounts(part)
  return mended === part ? lines : eventOf(JSON.stringify(mended))
}

/** Returns a body that is no stream as the events of one, if it is a whole reply; else keeps its beginning. */
function wholeOf(wire: WireReply, body: string): string {
  const reply = tryParseJson(body.trim())
  const events = reply === undefined ? undefined : eventsOfWhole(reply)
  if (reply !== undefined) observePart(wire, reply)
  if (events) {
    wire.parts++
    return events.map(eventOf).join('')
  }
  wire.head = body.slice(0, longestHead)
  return ''
}

const eventOf = (data: string) => `data: ${data}\n\n`
const isReadable = (data: string) => data.trim() === end || tryParseJson(data) !== undefined
