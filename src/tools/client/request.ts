import { connect, type Socket } from 'node:net'
import {
  mostLineBytes,
  protocolVersion,
  type StageAnswer,
  type StageRequest,
} from '../../schema/stage/protocol.ts'

/** Sends one request over the socket of a stage and returns its answer. A connection that breaks is an answer, too: `closed`. */
export async function requestOverSocket(path: string, request: StageRequest): Promise<StageAnswer> {
  const line = `${JSON.stringify({ id: 1, ...request })}\n`
  if (Buffer.byteLength(line) > mostLineBytes)
    return { error: { reason: 'invalid', message: `a request has at most ${mostLineBytes} bytes` } }
  const socket = connect(path)
  try {
    return (await converse(socket, line)) ?? closed('bench ended the connection before it answered')
  } catch (error) {
    const { syscall, code, message } = error as NodeJS.ErrnoException
    if (syscall === 'connect')
      return closed(`bench cannot be reached (${code}); the stage has ended, or the socket is another’s`)
    return closed(`the connection to bench broke (${code ?? message})`)
  } finally {
    socket.destroy()
  }
}

/** Returns undefined if the connection ends before the answer. */
async function converse(socket: Socket, line: string): Promise<StageAnswer | undefined> {
  const lines = linesOf(socket)
  const hello = (await lines.next()).value
  if (hello === undefined) return undefined
  const { version } = (JSON.parse(hello) as { hello?: { version?: unknown } }).hello ?? {}
  if (version !== protocolVersion)
    return closed(
      `bench speaks version ${version} of the protocol, and this client version ${protocolVersion}; use the client of the same bench`,
    )
  socket.write(line)
  const answer = (await lines.next()).value
  if (answer === undefined) return undefined
  const { id: _, ...rest } = JSON.parse(answer) as { id: unknown } & StageAnswer
  return rest
}

async function* linesOf(socket: Socket): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}

const closed = (message: string): StageAnswer => ({ error: { reason: 'closed', message } })
