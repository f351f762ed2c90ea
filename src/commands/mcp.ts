import { createWriteStream } from 'node:fs'
import { loadPackage } from '../base/load-package.ts'
import { UserError } from '../text/errors.ts'
import { createServer } from './mcp/server.ts'
import { createStarter } from './mcp/start-run.ts'
import { findRuns } from './runs.ts'

interface McpOptions {
  /** Dollars, as typed. */
  allowSpend?: string
  control?: boolean
}

/**
 * `bench mcp [FOLDER]`: serves the runs of a folder to a client of the Model Context Protocol over stdin and stdout, until the client
 * closes stdin. Throws `UserError` for a folder that is none, and for dollars that are no number.
 */
export default async function mcp(folder: string, options: McpOptions): Promise<number> {
  const dollars = options.allowSpend === undefined ? null : readDollars(options.allowSpend)
  if (folder !== 'results') findRuns(folder)
  // What else this process may print would break the protocol.
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write
  const { serveStdio, StdioServerTransport } = loadPackage(
    '@modelcontextprotocol/server/stdio',
  ) as typeof import('@modelcontextprotocol/server/stdio')
  const starter = createStarter(folder, dollars)
  const transport = new StdioServerTransport(
    process.stdin,
    createWriteStream('', { fd: 1, autoClose: false }),
  )
  const handle = serveStdio(() => createServer({ folder, control: options.control === true, starter }), {
    transport,
    onerror: (error) => void process.stderr.write(`bench mcp: ${error.message}\n`),
  })
  if (process.stdin.isTTY)
    process.stderr.write(
      'bench mcp speaks MCP on stdin and stdout: a client starts it. See bench help mcp-server.\n',
    )
  await new Promise<void>((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, resolve)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await handle.close()
  await starter.close()
  return 0
}

function readDollars(text: string): number {
  const dollars = Number(text)
  if (text.trim() !== '' && Number.isFinite(dollars) && dollars > 0) return dollars
  throw new UserError({
    where: `--allow-spend ${text}`,
    what: 'is no amount of dollars above 0',
    fix: 'Write for example --allow-spend 5, or leave it out: then only runs without cost can be started.',
  })
}
