import type { ToolDefinition } from '../../../schema/tool/tool-set.ts'

/**
 * Returns the schema of a tool's arguments as it is sent. OpenAI refuses an object without `properties`, as MCP servers describe tools
 * that need no arguments.
 */
export const sentSchema = (schema: ToolDefinition['inputSchema']): ToolDefinition['inputSchema'] => ({
  type: 'object',
  properties: {},
  ...schema,
})
