import type { Socket } from 'node:net'
import {
  mostLineBytes,
  protocolVersion,
  RequestId,
  requestNames,
  type StageAnswer,
  StageLine,
  type StageRequest,
} from '../../schema/stage/protocol.ts'
import { inWords } from '../../text/issue-text.ts'
import { refusal } from './perform-request.ts'

/** What a stage may send over all its connections, and what may wait in one for its reading. */
const protocolLimits = {
  lineBytes: mostLineBytes,
  bytes: 64 * 1024 ** 2,
  requests: 10_000,
  unreadBytes: 64 * 1024 ** 2,
}

interface Responder {
  stage: string
  roles: readonly string[]
  /** Only the first connection is served: that of a program that bench starts before any other can run. */
  once?: boolean
  answer(request: StageRequest): Promise<StageAnswer>
}

/** Returns the function that speaks with a stage over one connection. What the stage may send is counted over all of them. */
export function createConnections({ stage, roles, once, answer }: Responder): (socket: Socket) => void {
  const used = { bytes: 0, requests: 0 }
  let isTaken = false
  return (socket) => {
    let open = 0
    let hasEnded = false
    const send = (line: object) => {
      if (socket.destroyed) return
      socket.write(`${JSON.stringify(line)}\n`)
      if (socket.writableLength > protocolLimits.unreadBytes) socket.destroy()
    }
    const close = (reason: 'invalid' | 'closed', message: string) => {
      send({ id: null, ...refusal(reason, message) })
      socket.destroySoon()
    }
    const respond = async (line: string) => {
      open++
      const parsed = parseLine(line)
      const given = 'problem' in parsed ? refusal('invalid', parsed.problem) : await answer(parsed.request)
      send({ id: parsed.id, ...given })
      if (--open === 0 && hasEnded) socket.end()
    }
    if (isTaken && once) {
      send({ id: null, ...refusal('closed', 'this socket is taken: only the tools of bench may ask') })
      // What it has sent is read and dropped, or it could not read the answer.
      return socket.resume().end()
    }
    isTaken = true
    const lines = splitLines(protocolLimits.lineBytes)
    socket.on('data', (chunk) => {
      used.bytes += chunk.length
      if (used.bytes > protocolLimits.bytes)
        return close('closed', `a stage sends at most ${protocolLimits.bytes} bytes`)
      for (const line of lines.add(chunk)) {
        if (++used.requests > protocolLimits.requests)
          return close('closed', `a stage sends at most ${protocolLimits.requests} requests`)
        void respond(line)
      }
      if (lines.isTooLong()) close('invalid', `a line has at most ${protocolLimits.lineBytes} bytes`)
    })
    socket.on('end', () => {
      hasEnded = true
      if (open === 0) socket.end()
    })
    send({ hello: { version: protocolVersion, stage, roles, requests: requestNames } })
  }
}

type Parsed = { id: RequestId | null } & ({ request: StageRequest } | { problem: string })

function parseLine(line: string): Parsed {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { id: null, problem: 'the line is no JSON' }
  }
  const id = RequestId.safeParse((value as { id?: unknown } | null)?.id).data ?? null
  const parsed = StageLine.safeParse(value, inWords)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return { id, problem: `${issue?.path.join('.') || 'the request'}: ${issue?.message}` }
  }
  const { id: _, ...rest } = parsed.data
  if (Object.keys(rest).length !== 1)
    return {
      id,
      problem: `a request has an id and one of ${requestNames.slice(0, -1).join(', ')} and ${requestNames.at(-1)}`,
    }
  return { id, request: rest as StageRequest }
}

/** Splits bytes into lines. A line that is too long is never put together. */
function splitLines(longest: number): { add(chunk: Buffer): string[]; isTooLong(): boolean } {
  let parts: Buffer[] = []
  let length = 0
  const keep = (part: Buffer) => {
    length += part.length
    if (length <= longest) parts.push(part)
  }
  return {
    isTooLong: () => length > longest,
    add(chunk) {
      const lines: string[] = []
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0 && length <= longest; at = chunk.indexOf(10, from)) {
        keep(chunk.subarray(from, at))
        if (length > longest) return lines
        const line = Buffer.concat(parts).toString()
        if (line.trim() !== '') lines.push(line)
        parts = []
        length = 0
        from = at + 1
      }
      keep(chunk.subarray(from))
      return lines
    },
  }
}
