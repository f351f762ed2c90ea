import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readToolFiles } from '../../../src/agent-tools/mcp/read-tool-files.ts'
import { type ResolvePlace, resolveMcpTool } from '../../../src/agent-tools/mcp/resolve-mcp-tool.ts'
import type { LinkStart } from '../../../src/agent-tools/mcp/server-link.ts'
import { type McpServer, startMcpServer } from '../../../src/agent-tools/servers.ts'
import { packageRoot } from '../../../src/base/package-root.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import { Tool } from '../../../src/schema/tool/tool.ts'
import type { ResolvedMcpTool } from '../../../src/schema/tool/tool-set.ts'
import { openBubblewrap } from '../machine/sandboxes.ts'
import { tempFolder } from '../machine/temp.ts'

export type McpTool = Extract<Tool, { kind: 'mcp' }>
type Config = Partial<McpTool['config']>

/** The folder of the servers that tests start. */
export const mcpFixtures = join(packageRoot(), 'fixtures/mcp')

/** Returns the tool of a configuration; its schema adds what is not given. */
export const mcpTool = (config: Config): McpTool => Tool.parse({ kind: 'mcp', config }) as McpTool

/** The tool of the well-behaved server, with all that it has. */
export const notesTool = (change: Config = {}): McpTool =>
  mcpTool({
    command: ['node', 'notes.mjs'],
    files: ['notes.mjs'],
    allow: ['add', 'count', 'fail', 'files', 'place'],
    ...change,
  })

/** Resolves a tool whose files are those of the fixtures. */
export const resolve = (tool: McpTool, place: Partial<ResolvePlace> = {}) =>
  resolveMcpTool('notes', tool, {
    cwd: mcpFixtures,
    sandbox: spawnUnsandboxed,
    where: 'tools.notes',
    ...place,
  })

/** Resolves a tool that is right. */
export async function resolved(tool: McpTool, place: Partial<ResolvePlace> = {}): Promise<ResolvedMcpTool> {
  const found = await resolve(tool, place)
  if ('problems' in found) throw new Error(JSON.stringify(found.problems))
  return found.tool
}

/** Starts the server of a tool, calls `work` with it, and closes it. */
export async function withServer<Value>(
  tool: ResolvedMcpTool,
  start: Partial<LinkStart> & { cwd?: string },
  work: (server: McpServer) => Promise<Value>,
): Promise<Value> {
  const { cwd = mcpFixtures, ...rest } = start
  const { files } = readToolFiles(
    cwd,
    tool.files.map(({ path }) => path),
  )
  const server = await startMcpServer(tool, { files, sandbox: spawnUnsandboxed, ...rest })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

const bubblewrap: { opening?: ReturnType<typeof openBubblewrap> } = {}

/** Opens a tested sandbox by its name; bubblewrap once, since each time it is attacked first. */
export async function openRun(name: 'none' | 'bubblewrap'): Promise<SandboxRun> {
  if (name === 'none') return spawnUnsandboxed
  bubblewrap.opening ??= openBubblewrap()
  const opened = await bubblewrap.opening
  if (!opened) throw new Error('bubblewrap does not start')
  return opened.run
}

/** Writes a server's program into a folder of its own, and returns the folder. */
export function serverFolder(source: string, name = 'server.mjs'): string {
  const folder = tempFolder()
  writeFileSync(join(folder, name), source)
  return folder
}

/** Returns what models get of calls: each outcome with its text. */
export const textsOf = (results: readonly { outcome: string; text: string }[]) =>
  results.map(({ outcome, text }) => [outcome, text])
