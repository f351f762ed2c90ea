import type { JSONObject, LanguageModelV3CallOptions, LanguageModelV3Message } from '@ai-sdk/provider'
import { wellFormed } from '../../replies/clean-data.ts'
import type { ToolDefinition } from '../../schema/tool/tool-set.ts'
import type { RequestTools, ToolTurn } from '../agent.ts'
import type { Family } from './family.ts'
import { callName, callPart, isBlank, type TurnMessage } from './tool-turn.ts'

/** Returns the turns of an ask as messages: what the model said and called, then the results. */
export const transcriptOf = ({ turns }: RequestTools): LanguageModelV3Message[] =>
  turns.flatMap((turn) => wellFormed([saidIn(turn), ...resultsOf(turn)]))

function saidIn({ text, calls, message }: ToolTurn): LanguageModelV3Message {
  const { content, beside } = (message?.[0] ?? {}) as TurnMessage
  const said = isBlank(text) ? [] : [{ type: 'text' as const, text }]
  return {
    role: 'assistant',
    content: content ?? [...said, ...calls.map(callPart)],
    // Only the library for Chat Completions has such fields.
    ...(beside && { providerOptions: { openaiCompatible: beside as JSONObject } }),
  }
}

function resultsOf({ results }: ToolTurn): LanguageModelV3Message[] {
  if (results.length === 0) return []
  const content = results.map(({ id, name, text, isError }) => ({
    type: 'tool-result' as const,
    toolCallId: id,
    toolName: callName(name),
    output: { type: isError ? ('error-text' as const) : ('text' as const), value: text },
  }))
  return [{ role: 'tool', content }]
}

/**
 * Returns the tools as call options. In the last turn the definitions are sent as well: vendors refuse calls in the history without
 * them.
 */
export function toolOptions(
  { definitions, mustAnswer }: RequestTools,
  { strictTools }: Pick<Family, 'strictTools'>,
): Pick<LanguageModelV3CallOptions, 'tools' | 'toolChoice'> {
  return {
    tools: definitions.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: sentSchema(inputSchema),
      ...(strictTools !== undefined && { strict: strictTools }),
    })),
    ...(mustAnswer && { toolChoice: { type: 'none' } }),
  }
}

/**
 * Returns the schema of a tool's arguments as it is sent. OpenAI refuses an object without `properties`, as MCP servers describe tools
 * that need no arguments.
 */
export const sentSchema = (schema: ToolDefinition['inputSchema']): ToolDefinition['inputSchema'] => ({
  type: 'object',
  properties: {},
  ...schema,
})
