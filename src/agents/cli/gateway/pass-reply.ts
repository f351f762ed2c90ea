import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { KeyGuard } from './key-guard.ts'
import { namedByConnection } from './request-headers.ts'

/** Headers that are not passed on: they concern one connection, or the original encoding of the body. */
const notPassed =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|proxy-.*)$/

/** Returns the decompressed body of a provider's reply, which may be compressed against the request; undefined if the encoding is unknown. */
export function decodeBody(answer: IncomingMessage): Readable | undefined {
  const decoder = decoderOf(answer.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (!decoder) return decoder === null ? answer : undefined
  // The decoder then emits what has arrived, and an error since the data is incomplete.
  answer.on('error', () => decoder.end())
  return answer.pipe(decoder)
}

/** Returns the decoder of an encoding; null if none is needed, undefined if the encoding is unknown. */
function decoderOf(encoding: string) {
  switch (encoding) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      return undefined
  }
}

/** Passes on a reply without the key: status, headers and body, but not the status text. */
export function passReply(
  answer: IncomingMessage,
  body: Readable,
  response: ServerResponse,
  guard: KeyGuard,
): void {
  response.writeHead(answer.statusCode ?? 502, headersToProgram(answer, guard))
  const guarded = guard.stream()
  // A reply that breaks off must also break off for the CLI, after what arrived: programs continue from that.
  let isBroken = false
  const breakOff = () => {
    isBroken = true
    guarded.end()
  }
  body.on('error', breakOff)
  guarded.on('end', () => {
    if (!isBroken) response.end()
    else if (response.socket) response.socket.destroySoon()
    else response.destroy()
  })
  body.pipe(guarded).pipe(response, { end: false })
}

function headersToProgram({ headers }: IncomingMessage, guard: KeyGuard): OutgoingHttpHeaders {
  const own = namedByConnection(headers)
  const kept = Object.entries(headers).filter(
    ([name]) => !notPassed.test(name) && !own.has(name) && !guard.isInName(name),
  )
  return Object.fromEntries(
    kept.map(([name, value = '']) => [
      guard.text(name),
      Array.isArray(value) ? value.map(guard.text) : guard.text(value),
    ]),
  )
}
