import type { StartServer } from '../servers.ts'

/** Starts an MCP server in the sandbox. */
export const startMcpServer: StartServer = async () => {
  throw new Error('MCP servers are not there yet')
}
