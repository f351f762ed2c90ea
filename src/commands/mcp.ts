import { Writable } from 'node:stream'
import { loadPackage } from '../base/load-package.ts'
import { findRuns } from '../loop/record/find-runs.ts'
import { UserError } from '../text/errors.ts'
import { createServer } from './mcp/server.ts'
import { createStarter } from './mcp/start-run.ts'

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
  const protocol = takeStdout()
  const { serveStdio, StdioServerTransport } = loadPackage(
    '@modelcontextprotocol/server/stdio',
  ) as typeof import('@modelcontextprotocol/server/stdio')
  const starter = createStarter(folder, dollars)
  const transport = new StdioServerTransport(process.stdin, protocol)
  const handle = serveStdio(() => createServer({ folder, control: options.control === true, starter }), {
    transport,
    onerror: ({ message }) => void process.stderr.write(`bench mcp: ${faultText(message)}\n`),
  })
  if (process.stdin.isTTY)
    process.stderr.write(
      'bench mcp speaks MCP on stdin and stdout: a client starts it. See bench help mcp-server.\n',
    )
  const code = await new Promise<number>((resolve) => {
    for (const event of ['end', 'close']) process.stdin.once(event, () => resolve(0))
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(0))
    // It closes itself after a message that is too long.
    const close = transport.close.bind(transport)
    transport.close = () => close().then(() => resolve(1))
  })
  await handle.close()
  await starter.close()
  return code
}

/**
 * Keeps stdout for the protocol: whatever else prints goes to stderr. A client that closes it ends the session, not the process, which
 * still has runs to stop.
 */
function takeStdout(): Writable {
  const { stdout, stderr } = process
  // A file stream on a pipe would fail as soon as the client reads slower than the server writes.
  const protocol = new Writable({
    write: (bytes, _, done) => void Writable.prototype.write.call(stdout, bytes, 'utf8', done),
  })
  protocol.setMaxListeners(0)
  stdout.removeAllListeners('error').on('error', () => {})
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return protocol
}

/** The official package tells a message that is no JSON-RPC by what each of its schemas finds. */
const faultText = (message: string): string =>
  message.startsWith('[') ? 'a message is not JSON-RPC 2.0' : message.slice(0, 300)

function readDollars(text: string): number {
  const dollars = Number(text)
  if (text.trim() !== '' && Number.isFinite(dollars) && dollars > 0) return dollars
  throw new UserError({
    where: `--allow-spend ${text}`,
    what: 'is not an amount of dollars above 0',
    fix: 'Write for example --allow-spend 5, or leave it out: then only runs without cost can be started.',
  })
}
