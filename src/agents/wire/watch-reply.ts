import { isObject } from '../../text/is-object.ts'
import { createEventSplitter, type StreamEvent } from './event-stream.ts'
import { type Json, listAt, objectAt, textAt, textsOf, tryParseJson } from './json.ts'
import { createChatMender, createMessageMender } from './mend-message.ts'
import { createResponseMender } from './mend-response.ts'
import { errorIn, newObservedReply, type ObservedReply, observePart } from './observe-reply.ts'
import { limitedBody } from './patient-fetch.ts'

type Fetch = typeof globalThis.fetch

/** What came over the wire in one call. */
export interface WireReply extends ObservedReply {
  /** HTTP status; undefined if no reply came. */
  status: number | undefined
  contentType: string
  /** Number of parts that could be read: events, lines, or a whole reply. */
  parts: number
  /** The first part that is in no known format. */
  unknown: unknown
  /** The beginning of a body of which no part could be read. */
  head: string
}

/** Returns the wire of a call that got no reply yet. */
export const newWireReply = (): WireReply => ({
  ...newObservedReply(),
  status: undefined,
  contentType: '',
  parts: 0,
  unknown: undefined,
  head: '',
})

/**
 * Returns a `fetch` for one call that records in `wire` what the server sends, and passes it on without its counts. Of a refusal only
 * the beginning is read.
 */
export function watchReply(send: Fetch, wire: WireReply): Fetch {
  return async (input, init) => {
    const response = await send(input, init)
    wire.status = response.status
    wire.contentType = response.headers.get('content-type') ?? ''
    const { body, ok, status, statusText, headers } = response
    if (!body) return response
    return new Response(ok ? watchedBody(body, wire) : limitedBody(body), { status, statusText, headers })
  }
}

/** Maximum length of a whole reply or of what stands before the first event; characters. A longer one is not a model's. */
const longestWhole = 32 * 1024 * 1024
const longestHead = 4_000

/** Returns a body with its parts recorded. A connection that breaks behind the finish reason and the counts ends it without an error. */
function watchedBody(body: ReadableStream<Uint8Array>, wire: WireReply): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  const encoder = new TextEncoder()
  const watcher = createWatcher(wire)
  const read = () =>
    reader.read().catch((error: unknown) => {
      const isWhole = wire.ended && !wire.failed && Object.keys(wire.usage).length > 0
      if (isWhole) return { done: true as const, value: undefined }
      throw error
    })
  return new ReadableStream({
    async pull(controller) {
      let lines = ''
      while (lines === '') {
        const { done, value } = await read()
        lines = done ? watcher.end() : watcher.add(value)
        if (lines !== '') controller.enqueue(encoder.encode(lines))
        if (done) return controller.close()
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

function createWatcher(wire: WireReply) {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const splitter = createEventSplitter()
  const mend = createMender()
  let before: string[] = []
  let length = 0
  const take = (event: StreamEvent) => passedOn(wire, event, mend)
  return {
    /** Returns what is passed on of a piece of the body. */
    add(bytes: Uint8Array): string {
      const piece = decoder.decode(bytes, { stream: true })
      const events = splitter.add(piece)
      if (wire.parts === 0 && length <= longestWhole) {
        before.push(piece)
        length += piece.length
      }
      const lines = events.map(take).join('')
      if (wire.parts > 0) before = []
      return lines
    },
    end(): string {
      const rest = splitter.end()
      const isWhole = rest?.data !== undefined && isReadable(rest.data)
      const last = rest && isWhole ? take(rest) : ''
      return wire.parts > 0 ? last : wholeOf(wire, before.join(''), mend)
    },
  }
}

type Mend = ReturnType<typeof createMender>

const end = '[DONE]'

/** The last part of a reply of Chat Completions from a server that tells no finish reason. */
const untoldEnd = { choices: [{ index: 0, delta: {}, finish_reason: 'unknown' }] }

/**
 * Records an event and returns it as it is passed on. Without a finish reason the mark of the end counts only for servers that have an empty one,
 * or where an answer and its counts came before: a proxy may add the mark behind a reply that broke off.
 */
function passedOn(wire: WireReply, { data, lines }: StreamEvent, mend: Mend): string {
  if (data === undefined) return ''
  const text = data.trim()
  if (text === end) {
    const isCounted = wire.said.has('text') && Object.keys(wire.usage).length > 0
    const isUntold = !wire.ended && (wire.hasBlankReason || isCounted)
    wire.parts++
    wire.ended = true
    return isUntold ? `${eventOf(untoldEnd)}${lines}` : lines
  }
  const part = tryParseJson(text)
  if (part === undefined) {
    wire.parts++
    wire.unreadable = true
    return lines
  }
  observePart(wire, part)
  const mended = mend(part)
  if (mended.length === 0) wire.unknown ??= part
  else wire.parts++
  return mended.map(eventOf).join('')
}

/** Returns a body that is no stream as the events of one, if it is a whole reply; else keeps its beginning. */
function wholeOf(wire: WireReply, body: string, mend: Mend): string {
  const reply = tryParseJson(body.trim())
  if (reply !== undefined) observePart(wire, reply)
  const events = reply === undefined || wire.failed ? [] : mend(reply)
  if (events.length === 0) {
    wire.head = body.slice(0, longestHead)
    return ''
  }
  wire.parts++
  const isUntold = !wire.ended && wire.said.has('text')
  return [...events, ...(isUntold ? [untoldEnd] : [])].map(eventOf).join('')
}

const eventOf = (part: object) => `data: ${JSON.stringify(part)}\n\n`
const isReadable = (data: string) => data.trim() === end || tryParseJson(data) !== undefined

/**
 * Returns a function for the parts of one reply, in order. Of each it returns what is passed on to a vendor's library: the fields that
 * bench reads, in the types that the library wants. Of a part, block, item or delta whose type is not known it returns nothing: vendors
 * add types at any time, and a library may refuse the whole reply. Counts are left out, as bench reads them off the wire itself.
 */
function createMender(): (part: unknown) => Json[] {
  const menders = [createMessageMender(), createResponseMender(), createChatMender(), mendGemini]
  const mend = (part: unknown): Json[] => {
    if (Array.isArray(part)) return part.flatMap(mend)
    if (!isObject(part)) return []
    const isError = errorIn(part, textAt(part, 'type') || textAt(part, 'object')) !== undefined
    return isError ? [part] : menders.flatMap((one) => one(part))
  }
  return mend
}

/** Mends a part in the format of Gemini; returns nothing for any other. */
function mendGemini(part: Json): Json[] {
  const blocked = textsOf(objectAt(part, 'promptFeedback'), 'blockReason')
  const isKnown = Array.isArray(part.candidates) || 'usageMetadata' in part || 'blockReason' in blocked
  if (!isKnown) return []
  const candidates = listAt(part, 'candidates').map((candidate) => ({
    ...textsOf(candidate, 'finishReason', 'finishMessage'),
    content: { parts: listAt(objectAt(candidate, 'content'), 'parts').flatMap(mendPiece) },
  }))
  return [{ ...textsOf(part, 'responseId'), candidates, promptFeedback: blocked }]
}

/** Returns a text, a thought or a call. What Google's own tools and pictures bring is left out. */
function mendPiece(piece: Json): Json[] {
  const signed = textsOf(piece, 'thoughtSignature')
  if (isObject(piece.functionCall)) {
    const { args, partialArgs, willContinue } = piece.functionCall
    const more = { args, partialArgs, willContinue }
    return [{ functionCall: { ...textsOf(piece.functionCall, 'id', 'name'), ...more }, ...signed }]
  }
  if (typeof piece.text !== 'string' && !('thoughtSignature' in signed)) return []
  return [
    { text: '', ...textsOf(piece, 'text'), ...(piece.thought === true && { thought: true }), ...signed },
  ]
}
