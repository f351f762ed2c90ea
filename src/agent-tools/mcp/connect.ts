import { endOf, failureText, lastLines, startFailure } from './failure-text.ts'
import { type Channel, openChannel } from './protocol/channel.ts'
import { openSession, type Session } from './protocol/session.ts'
import { type ServerProcess, type ServerStart, startServerProcess } from './server-process.ts'

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
