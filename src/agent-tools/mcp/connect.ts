import { setTimeout } from 'node:timers/promises'
import type { ProgramEnd } from '../../sandbox/sandbox.ts'
import { shorten } from '../../text/shorten.ts'
import { type Channel, isFraming, openChannel } from './channel.ts'
import { type ServerProcess, type ServerStart, startServerProcess } from './server-process.ts'
import { type Failure, openSession, type Session } from './session.ts'

/** A server that runs and answered the handshake. */
export interface Connection {
  process: ServerProcess
  channel: Channel
  session: Session
}

/** A server that did not start. */
export interface NotConnected {
  level: ServerProcess['level']
  /** The reason, as a phrase whose subject is the server. */
  why: string
  /** The last lines that it printed to stderr; absent if it never ran. */
  said?: string
}

/** How long a server may take to answer the handshake and to list its tools; ms. */
const usualStartMs = 30_000

/** Starts a server and makes the handshake. Nothing is left of a server that fails. */
export async function connectServer(
  start: ServerStart,
  startMs = usualStartMs,
): Promise<Connection | NotConnected> {
  const process = await startServerProcess(start)
  const { level, notStarted } = process
  try {
    start.signal?.throwIfAborted()
    if (notStarted !== undefined) {
      await process.stop()
      return { level, why: startFailure(start.command[0] ?? '', notStarted) }
    }
    const channel = openChannel(process.socket)
    const session = await openSession(channel, startMs, start.signal)
    if ('tools' in session) return { process, channel, session }
    const ownEnd = session.failure.kind === 'closed' ? await endOf(process) : undefined
    await process.stop()
    const why = failureText(session.failure, session.request, startMs, channel, ownEnd)
    return { level, why, said: lastLines(process, await process.ended) }
  } catch (error) {
    await process.stop()
    throw error
  }
}

/** How long to wait for the end of a program whose output has ended; ms. */
const endedMs = 2000

/** Returns the end of a server's program if it ended by itself; else undefined, after a short time. */
export async function endOf({ ended }: ServerProcess): Promise<ProgramEnd | undefined> {
  return Promise.race([ended, setTimeout(endedMs, undefined, { ref: false })])
}

/** Says what went wrong with a request, as a phrase whose subject is the server. */
export function failureText(
  failure: Failure,
  request: string,
  timeoutMs: number,
  channel: Channel,
  end: ProgramEnd | undefined,
): string {
  switch (failure.kind) {
    case 'timeout':
      return `did not answer ${request} within ${timeoutMs} ms${strayNote(channel)}`
    case 'closed':
      // Who sends too much is not ended by what else it prints.
      return channel.flood() ?? closedText(end) + strayNote(channel)
    case 'too-large':
      return `sent a line of more than ${channel.limit.lineBytes} bytes`
    case 'no-answer':
      return isFraming(channel.stray())
        ? `did not answer ${request}${strayNote(channel)}`
        : `sent an answer to ${request} that is not one of the protocol`
    case 'refused': {
      const version = /protocol version is not supported: (.*)$/.exec(failure.message)?.[1]
      if (version !== undefined) return `speaks the protocol version ${version}, which bench does not`
      return `refused ${request}: ${shorten(failure.message)}`
    }
  }
}

function closedText(end: ProgramEnd | undefined): string {
  if (end?.reason !== undefined) return end.reason
  if (!end) return 'closed its output'
  return end.killedBy === null ? `ended with exit code ${end.exitCode}` : `was ended by ${end.killedBy}`
}

/** Names what is no message: most servers that do not answer print something else instead. */
function strayNote(channel: Channel): string {
  const [stray, begun] = [channel.stray(), channel.begun()]
  if (isFraming(stray ?? begun))
    return '; it writes Content-Length headers, where MCP over stdio has one message a line'
  const first = stray === undefined ? '' : `; it printed ${stray}, which is no message`
  return begun === undefined ? first : `${first}; it printed ${begun} without ending the line`
}

function startFailure(program: string, reason: string): string {
  if (reason === 'ENOENT') return `cannot be started: the program ${program} was not found in the sandbox`
  if (reason === 'EACCES') return `cannot be started: ${program} cannot be executed`
  return `cannot be started: ${program}: ${reason}`
}

function lastLines({ hidePaths }: ServerProcess, end: ProgramEnd | undefined): string {
  const lines = hidePaths(end?.stderr ?? '')
    .trim()
    .split('\n')
  return shorten(lines.slice(-12).join('\n'), 1500)
}
