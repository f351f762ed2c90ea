import type { Agent, AgentReply, ToolAnswer, ToolTurn } from '../../../src/agents/agent.ts'
import type { Profile } from '../../../src/schema/agent/profile.ts'
import type { ToolCall } from '../../../src/schema/tool/tool-call.ts'
import type { Wanted } from './agent-request.ts'
import { answer, ask } from './simulated-agent.ts'

export const definition = (name: string, properties: object = {}) => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties, required: Object.keys(properties) },
})
export const definitions = ['list', 'read', 'write', 'check', 'memory_store', 'memory_recall'].map((name) =>
  definition(name),
)
export const server = definition('words__find', {
  word: { type: 'string' },
  most: { type: 'integer', minimum: 2 },
})

type Answer = (call: ToolCall) => Partial<ToolAnswer> | undefined
export const using = (tools: Partial<NonNullable<Profile['tools']>>): Partial<Profile> => ({
  tools: { turns: 3, parallel: 0, wrong: 0, gain: {}, ...tools },
})

/** Asks until the agent answers; `say` gives the results of its calls. */
export async function askWithTools(
  agent: Agent,
  {
    tools = definitions,
    say = () => undefined,
    ...wanted
  }: Omit<Wanted, 'tools'> & { tools?: typeof definitions; say?: Answer } = {},
  task = answer,
) {
  const turns: ToolTurn[] = []
  const replies: AgentReply[] = []
  for (;;) {
    const key = `#0.${turns.length + 1}`
    const request = {
      ...wanted,
      tools: { definitions: tools, turns: [...turns], mustAnswer: false },
      trial: { ...wanted.trial, key },
    }
    const reply = await ask(agent, request, task)
    replies.push(reply)
    if (!reply.toolCalls) return { turns, replies, reply, calls: turns.flatMap(({ calls }) => calls) }
    const results = reply.toolCalls.map((call) => ({
      id: call.id,
      name: call.name,
      text: call.name === 'check' ? '2 of 2 checks passed.' : '> found',
      isError: false,
      ...say(call),
    }))
    turns.push({ text: reply.text, calls: reply.toolCalls, results })
  }
}

export const epochs = async <Value>(count: number, each: (epoch: number) => Promise<Value>) =>
  Promise.all(Array.from({ length: count }, (_, i) => each(i + 1)))
