import { killedTwice } from '../../sandbox/killed.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Files } from '../../schema/task.ts'
import type { ResolvedMcpTool, ToolServer } from '../../schema/tool/tool-set.ts'
import type { FileEdit } from '../../strategy.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import { type Connection, connectServer, endOf, failureText } from './connect.ts'
import type { ServerStart } from './server-process.ts'
import { cleanTools, type ListedTool } from './session.ts'

/** What a server is started with for one ask. */
export interface LinkStart extends Pick<ServerStart, 'files' | 'workspace' | 'sandbox' | 'signal'> {
  /** How long the server may take to start; ms. */
  startMs?: number
}

/** The connection of one ask with a server, which may be lost. */
export interface ServerLink {
  connect(): Promise<void>
  /** Returns the connection, after a restart if one is due and allowed. For a lost server it returns the reason, as a phrase about it. */
  use(): Promise<Connection | { lost: string }>
  /** Ends the server, since no call can be made any more. */
  lose(why: string): Promise<void>
  mayRestart(): boolean
  /** Changes the server's copy of the trial's files. */
  write(edits: readonly FileEdit[]): void
  level(): SandboxLevel
  hidePaths(text: string): string
  close(): Promise<void>
}

/** How often a stateless server is started again in one ask, after it was lost. */
const mostRestarts = 1

/** Creates the link with the server of a tool. */
export function createLink(tool: ResolvedMcpTool, { startMs, ...start }: LinkStart): ServerLink {
  let workspace = tool.workspace ? (start.workspace ?? {}) : undefined
  let connection: Connection | undefined
  let lost = 'was not started'
  let level: SandboxLevel = 'none'
  let hidePaths = (text: string) => text
  let restartsLeft = tool.stateless ? mostRestarts : 0

  const closed = new AbortController()
  /** Ends when no program of the link is starting or ending. */
  let settled: Promise<unknown> = Promise.resolve()
  const track = <Value>(work: Promise<Value>): Promise<Value> => {
    settled = Promise.allSettled([settled, work])
    return work
  }
  const lose = async (why: string) => {
    lost = why
    const { process } = connection ?? {}
    connection = undefined
    if (process) await track(process.stop())
  }
  const connect = async () => {
    const { command, env } = tool
    const signal = AbortSignal.any([closed.signal, ...(start.signal ? [start.signal] : [])])
    const found = await track(connectServer({ ...start, signal, command, env, workspace }, startMs))
    if ('why' in found) {
      level = found.level
      lost = found.said ? `${found.why}. Its stderr ends with: ${found.said}` : found.why
      return
    }
    const { session, process, channel } = found
    level = process.level
    hidePaths = process.hidePaths
    connection = found
    channel.limit.lineBytes = tool.maxBytes
    const now = { server: session.server, tools: cleanTools(session.tools, process) }
    const difference = serverDifference(tool, now)
    if (difference === undefined) return
    restartsLeft = 0
    await lose(difference)
  }
  return {
    connect,
    lose,
    async use() {
      if (connection?.channel.isClosed()) {
        const { channel, process } = connection
        const end = await endOf(process)
        await lose(failureText({ kind: 'closed' }, 'a call', 0, channel, end))
        if (end?.fromOutside && restartsLeft === 0)
          throw killedTwice(`the MCP server ${tool.server.name}`, end)
      }
      if (!connection && restartsLeft > 0) {
        restartsLeft--
        await connect()
      }
      return connection ?? { lost }
    },
    mayRestart: () => restartsLeft > 0,
    write(edits) {
      if (!workspace) return
      workspace = withEdits(workspace, edits)
      try {
        for (const { path, content } of edits) connection?.process.write(path, content)
      } catch {
        // The server put something in their place that cannot be replaced.
        connection?.process.socket.destroy()
      }
    },
    level: () => level,
    hidePaths: (text) => hidePaths(text),
    async close() {
      restartsLeft = 0
      // A call that nobody waits for any more may have begun to start the server again, or to end it.
      closed.abort()
      await lose('was closed')
      await settled
    },
  }
}

function withEdits(files: Files, edits: readonly FileEdit[]): Files {
  const changed = new Map(Object.entries(files))
  for (const { path, content } of edits)
    if (content === null) changed.delete(path)
    else changed.set(path, content)
  return Object.fromEntries(changed)
}

/**
 * Returns how a server differs from the one that the run began with, as a phrase whose subject is the server; undefined if it does not.
 * Only tools that the run allows count.
 */
function serverDifference(
  { server, definitions }: ResolvedMcpTool,
  now: { server: ToolServer; tools: readonly ListedTool[] },
): string | undefined {
  const began = 'and the run began with'
  if (server.name !== now.server.name || server.version !== now.server.version)
    return `is ${title(now.server)}, ${began} ${title(server)}`
  for (const { original, given, ...seen } of definitions) {
    const { description, inputSchema } = given ?? seen
    const same = now.tools.filter(({ name }) => name === original)
    if (same.length === 0) return `lists no tool ${JSON.stringify(original)} any more, ${began} it`
    const isEqual = (tool: ListedTool) =>
      tool.description === description && canonicalJson(tool.inputSchema) === canonicalJson(inputSchema)
    if (!same.every(isEqual))
      return `defines the tool ${JSON.stringify(original)} in another way, ${began} other words`
  }
  return undefined
}

const title = ({ name, version }: ToolServer) => `${name} ${version}`
