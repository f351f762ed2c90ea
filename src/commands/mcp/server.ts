import type { CallToolResult, McpServer } from '@modelcontextprotocol/server'
import { loadPackage } from '../../base/load-package.ts'
import { packageVersion } from '../../base/package-root.ts'
import { UserError } from '../../text/errors.ts'
import type { BenchTool } from './bench-tool.ts'
import { cut, type Printed } from './call-bench.ts'
import { addResources } from './resources.ts'
import type { Starter } from './start-run.ts'
import { toolsFor } from './tools.ts'

/** What a server serves: the folder of runs, whether a client may change stopped trials, and who starts runs. */
export interface Served {
  folder: string
  control: boolean
  starter: Starter
}

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
