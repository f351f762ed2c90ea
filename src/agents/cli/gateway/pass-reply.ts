import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { KeyGuard } from './key-guard.ts'
import { namedByConnection } from './request-headers.ts'

/** Of one connection, or of bytes that are not those that are passed on. */
const notPassed =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-length|content-encoding|proxy-.*)$/

/** A provider's reply as plain bytes, also where it packed them though it was asked not to; undefined where nobody can read it. */
export function decodeBody(answer: IncomingMessage): Readable | undefined {
  const decoder = decoderOf(answer.headers['content-encoding']?.trim().toLowerCase() ?? '')
  if (!decoder) return decoder === null ? answer : undefined
  // It gives what has come of it, and then says that this is not all.
  answer.on('error', () => decoder.end())
  return answer.pipe(decoder)
}

/** Null: none is needed. */
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

/** Passes a reply on without the key: status, headers and body, and not the words beside the status. */
export function passReply(
  answer: IncomingMessage,
  body: Readable,
  response: ServerResponse,
  guard: KeyGuard,
): void {
  response.writeHead(answer.statusCode ?? 502, headersToProgram(answer, guard))
  const guarded = guard.stream()
  // A reply that breaks off must break off for the CLI as well, after what came of it: programs go on from that.
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
  const kept = Object.entries(headers).filter(([name]) => !notPassed.test(name) && !own.has(name))
  return Object.fromEntries(
    kept.map(([name, value = '']) => [
      guard.text(name),
      Array.isArray(value) ? value.map(guard.text) : guard.text(value),
    ]),
  )
}
