import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { inject, onTestFinished } from 'vitest'
import { program } from '../runs/cli.ts'

/** What a tool answered. */
interface Answered {
  text: string
  isError: boolean
}

/** A client of `bench mcp`, by the official package. */
export interface BenchClient {
  client: Client
  /** The server's process. */
  pid: number
  call(name: string, args?: Record<string, unknown>): Promise<Answered>
  read(uri: string): Promise<string>
}

/** Starts `bench mcp` in a folder and opens a session. It ends with its test. */
export async function openBenchMcp(
  cwd: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<BenchClient> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    cwd,
    env: { PATH: process.env.PATH ?? '', ORCHESTRATION_BENCH_CACHE: inject('cache'), ...env },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return {
    client,
    pid: transport.pid ?? 0,
    async call(name, args = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: args })
      const [first] = content
      return { text: first?.type === 'text' ? first.text : '', isError }
    },
    async read(uri) {
      const [first] = (await client.readResource({ uri })).contents
      return first && 'text' in first ? first.text : ''
    },
  }
}
