import type { SandboxRun } from '../../sandbox/sandbox.ts'
import type { Tool } from '../../schema/tool/tool.ts'
import type { ResolvedMcpTool } from '../../schema/tool/tool-set.ts'
import { isVariableName } from '../../schema/variable-name.ts'
import type { Problem } from '../../text/errors.ts'
import { allowedTools } from './allowed-tools.ts'
import { cleanTools } from './clean-tools.ts'
import { connectServer, type NotConnected } from './connect.ts'
import { readToolFiles } from './read-tool-files.ts'
import { commandProblem, missingModuleFix } from './start-remedies.ts'

type McpTool = Extract<Tool, { kind: 'mcp' }>

/** Where a tool is resolved. */
export interface ResolvePlace {
  /** The folder that its files are relative to. */
  cwd: string
  sandbox: SandboxRun
  /** Where the tool is declared; begins each problem. */
  where: string
  signal?: AbortSignal | undefined
  /** How long the server may take to start; ms. */
  startMs?: number
}

/**
 * Finds out what a run needs to know of an MCP tool: reads its files, starts its server once, and lists its tools. Returns all that is
 * wrong, or the tool with notes for the user. Rejects with `InfrastructureError` if the sandbox cannot start a program.
 */
export async function resolveMcpTool(
  id: string,
  { config }: McpTool,
  { cwd, sandbox, where, signal, startMs }: ResolvePlace,
): Promise<{ tool: ResolvedMcpTool; notes: string[] } | { problems: Problem[] }> {
  const { command, env, files: paths, workspace, stateless, timeout_ms, max_bytes, allow } = config
  const { files, digests, problems } = readToolFiles(cwd, paths, `${where}.files`)
  const refused = commandProblem(command, files)
  const found = [
    ...problems,
    ...environmentProblems(env, `${where}.env`),
    ...(refused ? [{ where: `${where}.command`, ...refused }] : []),
  ]
  if (found.length > 0) return { problems: found }
  const connected = await connectServer(
    { command, env, files, workspace: workspace ? {} : undefined, sandbox, signal },
    startMs,
  )
  if ('why' in connected) return { problems: [notConnected(connected, `${where}.command`, paths)] }
  const { process, session } = connected
  await process.stop()
  const listed = cleanTools(session.tools, process)
  const { definitions, notes, problems: wrong } = allowedTools(id, allow, listed, where)
  if (wrong.length > 0) return { problems: wrong }
  return {
    notes,
    tool: {
      kind: 'mcp',
      command,
      files: digests,
      env,
      workspace,
      stateless,
      timeoutMs: timeout_ms,
      maxBytes: max_bytes,
      server: session.server,
      definitions,
    },
  }
}

function notConnected({ why, said }: NotConnected, where: string, paths: readonly string[]): Problem {
  const stderr = said === '' ? '. It printed nothing to stderr' : `. Its stderr ends with:\n${said}`
  const files = paths.length === 0 ? 'no file' : paths.join(', ')
  return {
    where,
    what: `the server ${why}${said === undefined ? '' : stderr}`,
    fix:
      missingModuleFix(said ?? '') ??
      `It runs in the sandbox, without a network and with ${files} of the working folder.`,
  }
}

function environmentProblems(env: Readonly<Record<string, string>>, where: string): Problem[] {
  return Object.entries(env).flatMap(([name, value]) => {
    const what = !isVariableName(name)
      ? 'is not the name of an environment variable'
      : name.startsWith('BENCH_')
        ? 'begins with BENCH_, as only variables of bench do'
        : value.includes('\0')
          ? 'has a value with a NUL character'
          : undefined
    return what === undefined
      ? []
      : [{ where, what: `${JSON.stringify(name)} ${what}`, fix: 'Rename it, or take it out.' }]
  })
}
