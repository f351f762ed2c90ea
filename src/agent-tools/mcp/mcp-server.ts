import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { SandboxLevel } from '../../schema/sandbox-level.ts'
import type { Files } from '../../schema/task.ts'
import type { ResolvedTool } from '../../schema/tool/tool-set.ts'
import type { FileEdit } from '../../strategy.ts'
import type { ToolResult } from '../tool-result.ts'
import { type Called, type CallText, callResult } from './call-result.ts'
import { cleanTools } from './clean-tools.ts'
import { serverDifference } from './compare-server.ts'
import { type Connection, connectServer } from './connect.ts'
import { endOf, failureText } from './failure-text.ts'

/** A server that runs for one ask. */
export interface McpServer {
  /** Calls a tool by the server's own name of it. Whatever the server does, it returns a result; it rejects only if aborted. */
  call(original: string, args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolResult>
  /** Changes its copy of the trial's files, before the next call. */
  writeFiles(edits: readonly FileEdit[]): void
  /** Ends it, with all processes that it started. Nothing of it is left. */
  close(): Promise<void>
}

/** What a server is started with. */
export interface McpServerStart {
  /** The declared files. */
  files: Files
  /** The trial's files. A tool without `workspace` does not get them. */
  workspace?: Files | undefined
  sandbox: SandboxRun
  signal?: AbortSignal | undefined
  /** How long the server may take to start; ms. */
  startMs?: number
}

type McpTool = Extract<ResolvedTool, { kind: 'mcp' }>

/** How often a stateless server is started again in one ask, after it was lost. */
const mostRestarts = 1

/**
 * Starts a server for one ask. If the server does not start, the first call says so. Rejects with `InfrastructureError` if the sandbox
 * cannot start a program, and with the signal's reason if aborted.
 */
export async function startMcpServer(tool: McpTool, start: McpServerStart): Promise<McpServer> {
  let workspace: Files | undefined = tool.workspace ? { ...start.workspace } : undefined
  let connection: Connection | undefined
  let level: SandboxLevel = 'none'
  /** Why no call can be made, as a phrase whose subject is the server. */
  let lost: string | undefined
  let restartsLeft = tool.stateless ? mostRestarts : 0

  const connect = async () => {
    lost = undefined
    const { files, sandbox, signal, startMs } = start
    const { command, env } = tool
    const connected = await connectServer({ command, env, files, workspace, sandbox, signal }, startMs)
    if ('why' in connected) {
      level = connected.level
      lost =
        connected.said === '' ? connected.why : `${connected.why}. Its stderr ends with: ${connected.said}`
      return
    }
    const { process, channel, session } = connected
    level = process.level
    const now = { server: session.server, tools: cleanTools(session.tools, process) }
    const difference = serverDifference(tool, now)
    if (difference !== undefined) {
      await process.stop()
      lost = difference
      restartsLeft = 0
      return
    }
    channel.limit.lineBytes = tool.maxBytes
    connection = connected
  }
  /** Ends the server, since no call can be made any more. */
  const lose = async (why: string) => {
    lost = why
    const { process } = connection ?? {}
    connection = undefined
    await process?.stop()
  }
  /** Sees whether the server ended since the last call, and starts a stateless one again. */
  const ensureConnected = async () => {
    if (connection?.channel.isClosed()) {
      const { channel, process } = connection
      await lose(failureText({ kind: 'closed' }, 'a call', 0, channel, await endOf(process)))
    }
    if (lost === undefined || restartsLeft === 0) return
    restartsLeft--
    await connect()
  }
  const call = async (
    original: string,
    args: Record<string, unknown>,
    signal: AbortSignal | undefined,
  ): Promise<Called> => {
    await ensureConnected()
    if (!connection) return { kind: 'lost', why: lost ?? 'was closed' }
    const { channel, session, process } = connection
    const end = await session.call(original, args, tool.timeoutMs, signal)
    start.signal?.throwIfAborted()
    if (end.kind === 'answer' || end.kind === 'refused' || end.kind === 'no-answer') return end
    if (end.kind === 'too-large') return end
    const ownEnd = end.kind === 'closed' ? await endOf(process) : undefined
    const why = failureText(end, 'a call', tool.timeoutMs, channel, ownEnd)
    await lose(end.kind === 'timeout' ? `was ended, since it ${why}` : why)
    return { kind: end.kind, why, mayCallAgain: restartsLeft > 0 }
  }
  await connect()
  return {
    async call(original, args, signal) {
      const definition = tool.definitions.find((one) => one.original === original)
      const text: CallText = { name: definition?.name ?? original, maxBytes: tool.maxBytes }
      const hidePaths = connection?.process.hidePaths ?? ((given: string) => given)
      try {
        const called = definition ? await call(original, args, signal) : ({ kind: 'unknown' } as const)
        const result = callResult(called, text)
        return { ...result, text: hidePaths(result.text), server: tool.server, sandbox: level }
      } catch (error) {
        await lose('was ended, since a call was cancelled')
        throw error
      }
    },
    writeFiles(edits) {
      if (!workspace) return
      const files: Record<string, string> = { ...workspace }
      for (const { path, content } of edits) {
        if (content === null) delete files[path]
        else files[path] = content
      }
      workspace = files
      try {
        for (const { path, content } of edits) connection?.process.write(path, content)
      } catch {
        // It has put something in the place of the files that bench cannot replace.
        connection?.process.socket.destroy()
      }
    },
    async close() {
      restartsLeft = 0
      await lose('was closed')
    },
  }
}
