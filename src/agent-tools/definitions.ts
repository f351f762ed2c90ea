import type { KindOfWork } from '../ask.ts'
import { memoryDefinitions } from '../memory/memory.ts'
import type { SandboxLevel } from '../schema/sandbox-level.ts'
import type { Files } from '../schema/task.ts'
import type { WorkspaceToolName } from '../schema/tool/tool.ts'
import type { MemoryNote, ToolOutcome } from '../schema/tool/tool-call.ts'
import type { ResolvedTool, ToolDefinition, ToolServer } from '../schema/tool/tool-set.ts'
import type { CheckResult, FileEdit } from '../strategy.ts'

const path = { type: 'string', description: 'Path relative to the workspace, such as src/main.py.' }

const workspaceDefinitions: Readonly<Record<WorkspaceToolName, ToolDefinition>> = {
  read: {
    name: 'read',
    description:
      'Returns the text of a file of the workspace. A long file is returned in parts: give from_line and lines, and within a long line from_character.',
    inputSchema: objectOf(
      {
        path,
        from_line: { type: 'integer', minimum: 1, description: 'First line, from 1. Default: 1.' },
        lines: { type: 'integer', minimum: 1, description: 'Most lines. Default: as many as fit.' },
        from_character: {
          type: 'integer',
          minimum: 1,
          description: 'First character of the first line, from 1. Default: 1.',
        },
      },
      ['path'],
    ),
  },
  list: {
    name: 'list',
    description: 'Returns the paths of the files of the workspace, or of one folder, one a line.',
    inputSchema: objectOf(
      { folder: { type: 'string', description: 'A folder of the workspace, such as src. Default: all.' } },
      [],
    ),
  },
  write: {
    name: 'write',
    description:
      'Creates or replaces a file of the workspace with the whole new content. With delete it removes the file.',
    inputSchema: objectOf(
      {
        path,
        content: { type: 'string', description: 'The whole new content.' },
        delete: { type: 'boolean', description: 'true: remove the file. Give no content then.' },
      },
      ['path'],
    ),
  },
  check: {
    name: 'check',
    description: 'Runs the visible checks of the task on the files as they are now, and returns what failed.',
    inputSchema: objectOf({}, []),
  },
}

function objectOf(properties: Record<string, unknown>, required: string[]): Record<string, unknown> {
  return { type: 'object', properties, required, additionalProperties: false }
}

/** A tool that an agent can call: its definition, and what a call of it does. */
export interface CallableTool {
  /** Id of the tool in the method's tools. */
  id: string
  tool: ResolvedTool
  /** What models see of it. */
  definition: ToolDefinition
  /** The schema by which arguments are checked: the server's own. */
  schema: ToolDefinition['inputSchema']
  /** The name that the MCP server itself gives the tool. */
  original?: string
}

/** Whether a tool is a server that may answer the same call in another way: its calls may change its state, and so may time. */
export const hasState = (tool: ResolvedTool | undefined): boolean => tool?.kind === 'mcp' && !tool.stateless

/** Returns what agents for a kind of work can call of a tool. Only work of kind `produce` gets `write`. */
export function callableTools(id: string, tool: ResolvedTool, work: KindOfWork): CallableTool[] {
  if (tool.kind === 'mcp')
    return tool.definitions.map(({ original, given, ...definition }) => ({
      ...{ id, tool, definition, original },
      schema: (given ?? definition).inputSchema,
    }))
  const definitions =
    tool.kind === 'memory'
      ? memoryDefinitions
      : tool.allow
          .filter((name) => name !== 'write' || work === 'produce')
          .map((name) => workspaceDefinitions[name])
  return definitions.map((definition) => ({ id, tool, definition, schema: definition.inputSchema }))
}

/** What a tool may use of the ask that calls it. */
export interface ToolPlace {
  /** The files as the ask's earlier calls left them. */
  files(): Files
  /** The notes that the branch can see of a memory tool, oldest first. */
  notes(tool: string): readonly MemoryNote[]
  /** The files that the task takes from the work, as it names them, and whether a path is one; absent if it names none. */
  counted?: { names: readonly string[]; has(path: string): boolean }
  /** Runs the visible checks on these files. They are counted and limited like those of a method. */
  check(): Promise<CheckResult>
}

/** The result of one call. */
export interface ToolResult {
  outcome: ToolOutcome
  /** What the model gets: the result, or an error that says what to do instead. */
  text: string
  /** Changes of files, which the ask's later calls see. */
  edits?: readonly FileEdit[]
  /** A note that a memory tool keeps. */
  note?: MemoryNote
  /** The server that answered. */
  server?: ToolServer
  /** The sandbox level of the code that ran. */
  sandbox?: SandboxLevel
}
