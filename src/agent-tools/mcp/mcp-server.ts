import { killedTwice } from '../../sandbox/killed.ts'
import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import type { FileEdit } from '../../strategy.ts'
import type { ToolResult } from '../tool-result.ts'
import { type Called, callResult } from './call-result.ts'
import { endOf, failureText } from './failure-text.ts'
import { createLink, type LinkStart, type ServerLink } from './server-link.ts'

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
