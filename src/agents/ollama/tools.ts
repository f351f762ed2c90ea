import { wellFormed } from '../../replies/well-formed.ts'
import type { RequestTools, ToolTurn } from '../agent.ts'
import { callInput } from '../http/tools/call-input.ts'
import { callName } from '../http/tools/call-name.ts'
import { sentSchema } from '../http/tools/sent-schema.ts'
import type { ReplyCall } from '../http/tools/stream-parts.ts'

/**
 * Returns the definitions of tools as /api/chat takes them. It has no way to forbid calls, and takes calls in the history without
 * definitions, so the last turn has none.
 */
export function toolsOf({ definitions, mustAnswer }: RequestTools): { tools?: object[] } {
  if (mustAnswer) return {}
  const tools = definitions.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: { name, description, parameters: sentSchema(inputSchema) },
  }))
  return { tools }
}

/** Returns the turns of an ask as messages: what the model said and called, then a message for each result. */
export const turnsOf = ({ turns }: RequestTools): object[] =>
  turns.flatMap(({ text, calls, results, message }) =>
    wellFormed([
      {
        role: 'assistant',
        content: text,
        ...(message?.[0]?.beside as object | undefined),
        ...calledIn(calls),
      },
      ...results.map((result) => ({
        role: 'tool',
        tool_name: callName(result.name),
        tool_call_id: result.id,
        content: result.text,
      })),
    ]),
  )

const calledIn = (calls: ToolTurn['calls']) =>
  calls.length === 0
    ? {}
    : {
        tool_calls: calls.map(({ id, name, arguments: text }) => ({
          id,
          function: { name: callName(name), arguments: callInput(text) },
        })),
      }

/** Returns the calls in one line of a reply. Each is whole. Arguments are an object; some servers send their JSON text. */
export function callsIn(calls: unknown): ReplyCall[] {
  if (!Array.isArray(calls)) return []
  return calls.map((call: { id?: unknown; function?: { name?: unknown; arguments?: unknown } } | null) => {
    const { name, arguments: input } = call?.function ?? {}
    if (typeof name !== 'string' || name === '') throw nameless
    const text = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    const id = typeof call?.id === 'string' ? call.id : undefined
    return { type: 'call', id, name, arguments: text, hasArguments: true }
  })
}

const nameless = { name: 'InvalidResponse', message: 'a call in its reply has no name' }
