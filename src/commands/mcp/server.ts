import { basename } from 'node:path'
import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { loadPackage } from '../../base/load-package.ts'
import { packageVersion } from '../../base/package-root.ts'
import { findRuns } from '../../loop/record/find-runs.ts'
import { unescapeValue } from '../../suites/select.ts'
import { UserError } from '../../text/errors.ts'
import type { BenchTool } from './bench-tool.ts'
import { callBench, cut, type Printed } from './call-bench.ts'
import { type NamedRuns, namedRuns } from './run-names.ts'
import { type Served, toolsFor } from './tools.ts'

const instructions = `Runs and reports of orchestration-bench, which compares ways of organising agents.
Begin with list_runs. report tells which method wins, by how much, at what price and how sure; show_trial tells the story of one trial.
Rows of simulated agents describe a profile, not the methods. Results of a live run that is not whole are shut: peek opens them, and is noted.`

/** Creates a server with the tools and resources of bench. */
export function createServer(served: Served): McpServer {
  const { McpServer } = loadPackage(
    '@modelcontextprotocol/server',
  ) as typeof import('@modelcontextprotocol/server')
  const server = new McpServer({ name: 'orchestration-bench', version: packageVersion() }, { instructions })
  for (const tool of toolsFor(served)) addTool(server, tool)
  addResources(server, served.folder)
  return server
}

function addTool(server: McpServer, { name, description, input, isReadOnly, call }: BenchTool): void {
  server.registerTool(
    name,
    {
      description,
      inputSchema: input,
      annotations: { readOnlyHint: isReadOnly, openWorldHint: !isReadOnly },
    },
    async (args, context) => asResult(await answered(() => call(args, context.mcpReq.signal))),
  )
}

/** Tells a client what a person would read, and no stack trace. */
async function answered(call: () => Promise<Printed>): Promise<Printed> {
  try {
    return await call()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { text: error.message, isError: true }
  }
}

const asResult = ({ text, isError }: Printed): CallToolResult => ({
  content: [{ type: 'text', text: text === '' ? 'nothing' : cut(text) }],
  ...(isError && { isError }),
})

/** Most runs that a list of resources names. */
const longestList = 200

/** Adds what a client may read by address: `bench://runs/RUN/summary.md`, `report.md` and `trials/TRIAL`. */
function addResources(server: McpServer, folder: string): void {
  const { ProtocolError, ProtocolErrorCode, ResourceTemplate } = loadPackage(
    '@modelcontextprotocol/server',
  ) as typeof import('@modelcontextprotocol/server')
  const runs = namedRuns(folder)
  const whole = (run: string) => runs.opened(run)
  const add = (
    name: string,
    place: string,
    description: string,
    read: (run: string, trial: string) => Promise<Printed>,
  ) =>
    server.registerResource(
      name,
      new ResourceTemplate(`bench://runs/{run}/${place}`, {
        list: place.includes('{') ? undefined : () => ({ resources: resourcesOf(runs, place) }),
      }),
      { description, mimeType: 'text/markdown' },
      async (uri, { run = '', trial = '' }) => {
        const { text, isError } = await answered(() => read(unescapeValue(String(run)), String(trial)))
        if (isError) throw new ProtocolError(ProtocolErrorCode.InvalidParams, text.trim())
        return { contents: [{ uri: uri.href, mimeType: 'text/markdown', text: cut(text) }] }
      },
    )
  add('summary', 'summary.md', 'The tables of a run, with what they mean', (run) =>
    callBench(['report', whole(run), '--format=markdown', '--section=screen']),
  )
  add('report', 'report.md', 'The whole report of a run', (run) =>
    callBench(['report', whole(run), '--format=markdown']),
  )
  add('trial', 'trials/{trial}', 'The story of one trial', (run, trial) =>
    callBench(['show', whole(run), trial.replace(/^-+/, ''), '--no-answers']),
  )
}

function resourcesOf({ folder, has }: NamedRuns, place: string) {
  return findRuns(folder)
    .map((path) => basename(path))
    .filter(has)
    .slice(-longestList)
    .reverse()
    .map((name) => ({
      name: `${name}/${place}`,
      uri: `bench://runs/${encodeURIComponent(name)}/${place}`,
    }))
}
