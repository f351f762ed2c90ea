import type { SandboxRun } from '../sandbox/sandbox.ts'
import type { Files } from '../schema/task.ts'
import type { ResolvedMcpTool } from '../schema/tool/tool-set.ts'
import type { FileEdit } from '../strategy.ts'
import { asError, InfrastructureError } from '../text/errors.ts'
import { shorten } from '../text/shorten.ts'
import type { AskServers } from './call-tool.ts'
import { type McpServer, startMcpServer } from './mcp/mcp-server.ts'
import type { ToolResult } from './tool-result.ts'

/** What the servers of an ask need. */
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
