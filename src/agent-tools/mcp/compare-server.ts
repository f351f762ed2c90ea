import type { ResolvedMcpTool, ToolServer } from '../../schema/tool/tool-set.ts'
import { canonicalJson } from '../../text/canonical-json.ts'
import type { ListedTool } from './protocol/list-tools.ts'

/**
 * Returns how a server differs from the one that the run began with, as a phrase whose subject is the server; undefined if it does not.
 * Only tools that the run allows count.
 */
export function serverDifference(
  { server, definitions }: ResolvedMcpTool,
  now: { server: ToolServer; tools: readonly ListedTool[] },
): string | undefined {
  const began = 'and the run began with'
  if (server.name !== now.server.name || server.version !== now.server.version)
    return `is ${title(now.server)}, ${began} ${title(server)}`
  for (const { original, given, ...seen } of definitions) {
    const { description, inputSchema } = given ?? seen
    const same = now.tools.filter(({ name }) => name === original)
    if (same.length === 0) return `lists no tool ${JSON.stringify(original)} any more, ${began} it`
    const isEqual = (tool: ListedTool) =>
      tool.description === description && canonicalJson(tool.inputSchema) === canonicalJson(inputSchema)
    if (!same.every(isEqual))
      return `defines the tool ${JSON.stringify(original)} in another way, ${began} other words`
  }
  return undefined
}

const title = ({ name, version }: ToolServer) => `${name} ${version}`
