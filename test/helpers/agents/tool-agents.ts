import type { Agent, AgentReply, RequestTools, ToolTurn } from '../../../src/agents/agent.ts'
import { createOllama } from '../../../src/agents/ollama/ollama-agent.ts'
import type { ToolDefinition } from '../../../src/schema/tool/tool-set.ts'
import type { Answer, Script } from '../../model-server/script.ts'
import type { ModelServer } from '../../model-server/server.ts'
import { tableOf } from '../house/tables.ts'
import { agentRequest, type Wanted } from './agent-request.ts'
import { agentAt, agents, serve } from './http-agents.ts'

/** One agent of each wire format that calls the tools of a request. */
export const callingAgents: readonly string[] = [...agents, 'ollama:test']

/** Makes such an agent, which asks the server at `url`. */
export const callingAgent = async (name: string, url: string): Promise<Agent> =>
  name.startsWith('ollama')
    ? createOllama('test', { run: 'run-1', address: url, memory: async () => ({ kind: 'nvidia', gib: 8 }) })
    : agentAt(name, url)

/** The tools `read` and `check`. */
export const definitions: readonly ToolDefinition[] = tableOf(import.meta.url, 'definitions')

/** The tools of a request, with the turns so far. */
export const toolsWith = (turns: readonly ToolTurn[] = [], mustAnswer = false): RequestTools => ({
  definitions,
  turns,
  mustAnswer,
})

/** Asks an agent once, with tools if nothing else is wanted. */
export async function askWithTools(
  name: string,
  script: Script,
  wanted: Wanted = {},
): Promise<{ reply: AgentReply; server: ModelServer; body: unknown; text: string }> {
  const server = await serve(script)
  const agent = await callingAgent(name, server.url)
  const request = agentRequest({ tools: toolsWith(), ...wanted })
  const reply = await agent.ask(request, new AbortController().signal)
  const body = server.log.filter(({ number }) => number > 0).at(-1)?.body
  return { reply, server, body, text: JSON.stringify(body) }
}

/** Two calls of one turn. */
export const twoCalls: Answer = {
  text: 'I look.',
  toolCalls: [
    { name: 'read', input: { path: 'é/😀.txt' } },
    { name: 'check', input: {} },
  ],
}

/** A turn as a loop makes it of a reply: each call has the result that is given for its place. */
export const turnOf = (
  { text, toolCalls = [], message }: AgentReply,
  results: readonly { text: string; isError?: boolean }[],
): ToolTurn => ({
  text,
  calls: toolCalls,
  results: toolCalls.map(({ id, name }, i) => ({
    id,
    name,
    text: results[i]?.text ?? 'done',
    isError: results[i]?.isError ?? false,
  })),
  ...(message && { message: JSON.parse(JSON.stringify(message)) as ToolTurn['message'] }),
})
