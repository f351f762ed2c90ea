import { killedTwice } from '../sandbox/killed.ts'
import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Files } from '../schema/task.ts'
import type { ResolvedMcpTool } from '../schema/tool/tool-set.ts'
import type { FileEdit } from '../strategy.ts'
import { asError, InfrastructureError } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'
import type { AskServers } from './call-tool.ts'
import type { ToolResult } from './definitions.ts'
import { type Called, callResult } from './mcp/call-result.ts'
import { endOf, failureText } from './mcp/connect.ts'
import { createLink, type LinkStart, type ServerLink } from './mcp/server-link.ts'

interface Place {
  sandbox: SandboxRun
  /** The files of the workspace as they are now. */
  workspace(): Files
  fileText(digest: string): string | undefined
  /** Ends each server when it aborts. */
  signal: AbortSignal
  /** Returns a signal that aborts when a call has to end: with the branch, or when the ask's time is up. */
  callSignal(): AbortSignal
}

/** The MCP servers of one ask: each is started at its first call, and all are closed with the ask. */
export interface OpenServers extends AskServers {
  /** Brings the copies of those that see the workspace up to date. */
  writeFiles(edits: readonly FileEdit[]): void
  close(): Promise<void>
}

/** Opens the servers of an ask; none is started yet. */
export function openServers(place: Place): OpenServers {
  const started = new Map<string, { tool: ResolvedMcpTool; server: Promise<McpServer> }>()
  const ended = new AbortController()
  const signal = AbortSignal.any([place.signal, ended.signal])
  const serverOf = (id: string, tool: ResolvedMcpTool) => {
    const known = started.get(id)
    if (known) return known.server
    const server = startServer(tool, { ...place, signal })
    // It is awaited where it is called; an abort may come first.
    server.catch(() => {})
    started.set(id, { tool, server })
    return server
  }
  return {
    async call({ id, tool, original, definition }, args) {
      const signal = place.callSignal()
      try {
        const server = await orAborted(serverOf(id, tool as ResolvedMcpTool), signal)
        return await orAborted(server.call(original ?? definition.name, args, signal), signal)
      } catch (error) {
        // A sandbox that starts no program is no fault of the server.
        if (error instanceof InfrastructureError) throw error
        return signal.aborted ? outOfTime(definition.name) : notStarted(definition.name, error)
      }
    },
    writeFiles(edits) {
      for (const { tool, server } of started.values())
        if (tool.workspace) server.then((one) => one.writeFiles(edits)).catch(() => {})
    },
    async close() {
      // One that is still starting ends, too.
      ended.abort()
      await Promise.all(
        [...started.values()].map(({ server }) => server.then((one) => one.close()).catch(() => {})),
      )
    },
  }
}

async function startServer(tool: ResolvedMcpTool, { sandbox, workspace, fileText, signal }: Place) {
  const files: Record<string, string> = {}
  for (const { path, digest } of tool.files) {
    const text = fileText(digest)
    if (text === undefined) throw new Error(`the run has no copy of ${path}`)
    files[path] = text
  }
  return startMcpServer(tool, { files, ...(tool.workspace && { workspace: workspace() }), sandbox, signal })
}

/** Waits for a server, which may ignore the signal, no longer than until it aborts. */
async function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  work.catch(() => {})
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const outOfTime = (name: string): ToolResult => ({
  outcome: 'timeout',
  text: `${name} did not answer before the time of this task was up.`,
})

const notStarted = (name: string, error: unknown): ToolResult => ({
  outcome: 'broken',
  text: `The server of ${name} does not work: ${shorten(asError(error).message, 300)}. Go on without it.`,
})

/** A server that runs for one ask. */
export interface McpServer {
  /** Calls a tool by the server's own name of it. Whatever the server does, it returns a result. */
  call(original: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>
  /** Changes its copy of the trial's files, before the next call. */
  writeFiles(edits: readonly FileEdit[]): void
  /** Ends it, with all processes that it started. Nothing of it is left. */
  close(): Promise<void>
}

/**
 * Starts a server for one ask. If the server does not start, each call says so. Rejects with `InfrastructureError` if the sandbox
 * cannot start a program, and with the signal's reason if aborted.
 */
export async function startMcpServer(tool: ResolvedMcpTool, start: LinkStart): Promise<McpServer> {
  const link = createLink(tool, start)
  await link.connect()
  return {
    async call(original, args, signal) {
      const definition = tool.definitions.find((one) => one.original === original)
      const names = { name: definition?.name ?? original, maxBytes: tool.maxBytes }
      const stop = anySignal(signal, start.signal)
      try {
        const called = definition
          ? await call(link, tool, original, args, stop)
          : ({ kind: 'unknown' } as const)
        const { outcome, text } = callResult(called, names)
        return { outcome, text: link.hidePaths(text), server: tool.server, sandbox: link.level() }
      } catch (error) {
        await link.close()
        throw error
      }
    },
    writeFiles: link.write,
    close: link.close,
  }
}

async function call(
  link: ServerLink,
  { timeoutMs, server }: ResolvedMcpTool,
  original: string,
  args: Record<string, unknown>,
  signal: AbortSignal | undefined,
): Promise<Called> {
  signal?.throwIfAborted()
  const connection = await link.use()
  if ('lost' in connection) return { kind: 'lost', why: connection.lost }
  const { channel, session, process } = connection
  const end = await session.call(original, args, timeoutMs, signal)
  if (end.kind !== 'timeout' && end.kind !== 'closed') return end
  const ownEnd = end.kind === 'closed' ? await endOf(process) : undefined
  const text = failureText(end, 'a call', timeoutMs, channel, ownEnd)
  const why = end.kind === 'timeout' ? `was ended, since it ${text}` : text
  await link.lose(why)
  const mayCallAgain = link.mayRestart()
  if (ownEnd?.fromOutside && !mayCallAgain) throw killedTwice(`the MCP server ${server.name}`, ownEnd)
  return { kind: end.kind, why, mayCallAgain }
}

function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length === 0 ? undefined : AbortSignal.any(given)
}
