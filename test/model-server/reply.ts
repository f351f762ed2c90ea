import type { ServerResponse } from 'node:http'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { seededRandom } from '../../src/base/random.ts'
import { answerOfFault } from './faults.ts'
import type { LogEntry } from './log.ts'
import { type Answer, countUsage, type ModelRequest } from './script.ts'
import type { Said, Wire } from './wire.ts'

const unplayed: Answer = {
  failure: { kind: 'status', status: 418, message: 'the script has no answer left for this request' },
}

interface Exchange {
  wire: Wire
  request: ModelRequest
  /** Undefined if the script has no answer left. */
  answer: Answer | undefined
  url: URL
  outgoing: ServerResponse
  entry: LogEntry
}

/** Sends the answer, and records the result in the entry. */
export async function reply(exchange: Exchange): Promise<void> {
  const { wire, request, answer: given = unplayed, url, outgoing, entry } = exchange
  const { fault, form } = given
  const answer = fault === undefined ? given : answerOfFault(fault, wire.name, form)
  const { failure } = answer
  if (fault ?? failure) entry.failure = fault ?? failure?.kind
  const gone = new Promise<void>((resolve) => outgoing.on('close', resolve))
  if (failure?.kind === 'status') {
    entry.status = failure.status
    const { status, message = `status ${failure.status} on demand`, code, retryAfter } = failure
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    sendJson(outgoing, status, wire.error(status, message, code), headers)
    return
  }
  if (failure?.kind === 'body') {
    const { status, type, body, headers } = failure
    entry.status = status
    outgoing.writeHead(status, { 'content-type': type, ...headers })
    outgoing.end(body)
    return
  }
  if (failure?.kind === 'error-event' && failure.data && !request.stream) {
    entry.status = failure.status ?? 500
    sendJson(outgoing, entry.status, failure.data)
    return
  }
  if (failure?.kind === 'hang' || (failure?.kind === 'cut' && failure.early)) {
    entry.status = 0
    if (failure.kind === 'hang') await gone
    outgoing.destroy()
    return
  }
  const counted = countUsage(request, answer)
  entry.usage = counted
  const said: Said = { request, answer, usage: answer.usage === null ? undefined : counted }
  if (failure?.kind === 'slow') await Promise.race([sleep(failure.ms), gone])
  if (outgoing.destroyed) return
  // A client that has read the end may close the connection first.
  const sent =
    request.stream && failure?.kind !== 'unstreamed'
      ? await stream(outgoing, wire, url, said)
      : whole(outgoing, JSON.stringify(wire.whole(said)), failure?.kind)
  entry.reported = sent && said.usage !== undefined
}

/** Sends the reply as a whole; returns false if a failure was injected. */
function whole(outgoing: ServerResponse, text: string, failure: string | undefined): boolean {
  const spoiled = failure !== undefined && failure !== 'slow' && failure !== 'unstreamed'
  outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  if (!spoiled) outgoing.end(text)
  else if (failure === 'malformed') outgoing.end(text.replace(/.$/, '!'))
  else outgoing.write(text.slice(0, text.length >> 1), () => outgoing.destroy())
  return !spoiled
}

/** Sends the reply frame by frame; returns false if a failure was injected. */
async function stream(outgoing: ServerResponse, wire: Wire, url: URL, said: Said): Promise<boolean> {
  const { failure } = said.answer
  const contentType = wire.contentType(url)
  outgoing.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-cache' })
  const frames = [...wire.frames(said)]
  // Gemini without `alt=sse` streams one JSON array.
  if (contentType.startsWith('application/json')) {
    outgoing.end(`[${frames.map((frame) => frame.slice(6).trim()).join(',\n')}]`)
    return true
  }
  const middle = Math.ceil(frames.length / 2)
  switch (failure?.kind) {
    case 'cut':
      await cut(outgoing, frames, middle, said.answer)
      return false
    case 'malformed':
      outgoing.end([...frames.slice(0, middle), wire.malformed, ...frames.slice(middle)].join(''))
      return true
    case 'error-event': {
      const { status = 529, message = 'Overloaded', data } = failure
      const last = data ? wire.dataFrame(data) : wire.errorFrame(status, message)
      outgoing.end(frames.slice(0, middle).join('') + last)
      return false
    }
    case 'slow':
      for (const frame of frames) {
        if (outgoing.destroyed) return false
        await write(outgoing, frame)
        await sleep(failure.ms / frames.length)
      }
      outgoing.end()
      return true
    default:
      await writePieces(outgoing, Buffer.from(frames.join('')), said.answer.pieces)
      outgoing.end()
      return true
  }
}

/** Sends the first half of the frames, or the share of all bytes that the failure names, and no more. */
async function cut(outgoing: ServerResponse, frames: readonly string[], middle: number, answer: Answer) {
  const { at, clean } = answer.failure as Extract<Answer['failure'], { kind: 'cut' }>
  const whole = Buffer.from(frames.join(''))
  const end =
    at === undefined ? Buffer.byteLength(frames.slice(0, middle).join('')) : Math.floor(whole.length * at)
  await writePieces(outgoing, whole.subarray(0, end), answer.pieces)
  if (clean) outgoing.end()
  else outgoing.destroy()
}

/** Writes bytes at once, or with a seed in pieces of 1 to 60 bytes. */
async function writePieces(outgoing: ServerResponse, bytes: Buffer, seed: number | undefined): Promise<void> {
  if (seed === undefined) return bytes.length > 0 ? write(outgoing, bytes) : undefined
  const random = seededRandom(String(seed))
  for (let at = 0; at < bytes.length && !outgoing.destroyed; ) {
    const next = at + 1 + Math.floor(random() * 60)
    await write(outgoing, bytes.subarray(at, next))
    at = next
    // A piece that waits for the next turn of the event loop often leaves in a packet of its own.
    await setImmediate()
  }
}

const write = (outgoing: ServerResponse, text: string | Buffer) =>
  new Promise<void>((resolve) => outgoing.write(text, () => resolve()))

/** A JSON reply in one piece. */
export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(JSON.stringify(body))
}
