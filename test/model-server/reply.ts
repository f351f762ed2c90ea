import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
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
  const { wire, request, answer = unplayed, url, outgoing, entry } = exchange
  const { failure } = answer
  if (failure) entry.failure = failure.kind
  const gone = new Promise<void>((resolve) => outgoing.on('close', resolve))
  if (failure?.kind === 'status') {
    entry.status = failure.status
    const { status, message = `status ${failure.status} on demand`, code, retryAfter } = failure
    const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    sendJson(outgoing, status, wire.error(status, message, code), headers)
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
  const sent = request.stream
    ? await stream(outgoing, wire, url, said)
    : whole(outgoing, JSON.stringify(wire.whole(said)), failure?.kind)
  entry.reported = sent && said.usage !== undefined
}

/** Sends the reply as a whole; returns false if a failure was injected. */
function whole(outgoing: ServerResponse, text: string, failure: string | undefined): boolean {
  const spoiled = failure !== undefined && failure !== 'slow'
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
      await write(outgoing, frames.slice(0, middle).join(''))
      outgoing.destroy()
      return false
    case 'malformed':
      outgoing.end([...frames.slice(0, middle), wire.malformed, ...frames.slice(middle)].join(''))
      return true
    case 'error-event': {
      const { status = 529, message = 'Overloaded' } = failure
      outgoing.end(frames.slice(0, middle).join('') + wire.errorFrame(status, message))
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
      outgoing.end(frames.join(''))
      return true
  }
}

const write = (outgoing: ServerResponse, text: string) =>
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
