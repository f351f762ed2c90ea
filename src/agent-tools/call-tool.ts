import { callMemory } from '../memory/memory.ts'
import type { WorkspaceToolName } from '../schema/tool/tool.ts'
import { mostCallsOfTurn, type ToolCall, type ToolOutcome } from '../schema/tool/tool-call.ts'
import { didYouMean } from '../text/near-word.ts'
import { shorten } from '../text/shorten.ts'
import { type Arguments, readArguments } from './arguments.ts'
import type { CallableTool, ToolPlace, ToolResult } from './definitions.ts'
import { callWorkspaceTool } from './workspace-tools.ts'

/** The MCP servers of one ask. */
export interface AskServers {
  call(tool: CallableTool, args: Record<string, unknown>): Promise<ToolResult>
}

interface ToolSources {
  servers: AskServers
  /** The text of a file that a tool of the method declares, by its digest. */
  fileText(digest: string): string | undefined
}

/** Makes one call. It never throws for what the model or the tool does: what went wrong is an outcome, with a text for the model. */
export async function callTool(
  call: ToolCall,
  tools: ReadonlyMap<string, CallableTool>,
  place: ToolPlace,
  sources: ToolSources,
): Promise<ToolResult> {
  const called = tools.get(call.name)
  if (!called) return unknownTool(call.name, [...tools.keys()])
  const read = argumentsOf(call, called)
  if ('problem' in read && call.isCut)
    return error(
      'invalid',
      `Your reply reached its output limit in the middle of this call of ${call.name}, so the call was not made. Write less at once: one call in a turn, and shorter arguments.`,
    )
  if ('problem' in read)
    return error(
      'invalid',
      `The arguments of ${call.name} do not match its schema: ${read.problem} The schema: ${shorten(JSON.stringify(called.definition.inputSchema), 2000)}`,
    )
  const { id, tool, definition } = called
  if (tool.kind === 'workspace')
    return callWorkspaceTool(definition.name as WorkspaceToolName, read.args, place)
  if (tool.kind === 'mcp') return sources.servers.call(called, read.args)
  const text = tool.file && sources.fileText(tool.file.digest)
  const file = tool.file && text !== undefined ? { path: tool.file.path, text } : undefined
  return callMemory(definition.name, read.args, { notes: place.notes(id), ...(file && { file }) })
}

/** Reads the arguments of a call. Servers say themselves what null means to them. */
const argumentsOf = (call: ToolCall, { tool, schema }: CallableTool): Arguments =>
  readArguments(call.arguments, schema, { dropsNulls: tool.kind !== 'mcp' })

const error = (outcome: ToolOutcome, text: string): ToolResult => ({ outcome, text })

function unknownTool(name: string, known: readonly string[]): ToolResult {
  const near = didYouMean(name, known, '"')
  return error(
    'denied',
    `There is no tool ${JSON.stringify(name.slice(0, 100))} here.${near ? ` ${near}` : ''} You may call: ${known.join(', ')}.`,
  )
}

/**
 * The result of a call that was not made, since the agent has made it twice before on the same files and notes; of a server with a
 * state, since these were its latest calls and their answers were the same.
 */
export function repeatedCall(name: string, isOfState = false): ToolResult {
  const why = isOfState
    ? 'got the same answer each time, and have called nothing else of its server since'
    : 'with the same files and notes as now'
  return error(
    'repeated',
    `You have called ${name} with these arguments twice before, ${why}, so the call was not made. Use the result that you have, call something else, or answer.`,
  )
}

/** The result of a call that was not made, since its turn has made as many as it may. */
export const surplusCall = (name: string): ToolResult =>
  error(
    'too-many',
    `One turn may make ${mostCallsOfTurn} calls, so this call of ${name} was not made. Look at the results that you have, and call it in your next turn if you still need it.`,
  )

/** The result of a call of a server whose state was lost with an earlier session. */
export const lostState = (name: string): ToolResult =>
  error('broken', `The server of ${name} was started anew and has lost its state. Go on without it.`)

/** Whether a call runs the visible checks. */
export function isCheckCall(call: ToolCall, tools: ReadonlyMap<string, CallableTool>): boolean {
  const called = tools.get(call.name)
  if (called?.tool.kind !== 'workspace' || called.definition.name !== 'check') return false
  return 'args' in argumentsOf(call, called)
}
