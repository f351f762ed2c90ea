import type { Agent, AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import type { ToolCall } from '../../../src/schema/tool/tool-call.ts'
import { defaultToolTurns, type MethodTools, type ResolvedTool } from '../../../src/schema/tool/tool-set.ts'
import { agentOf } from '../runs/trial.ts'

/** A call in a script: the tool's name and its arguments, as an object or as text. */
export type ScriptedCall = readonly [name: string, args?: object | string]

/** A turn in a script: calls, or the answer. */
export type ScriptedTurn = readonly ScriptedCall[] | string | Partial<AgentReply>

/** Returns the calls of a turn as a model writes them. */
const callsOf = (calls: readonly ScriptedCall[], turn = 1): ToolCall[] =>
  calls.map(([name, args = {}], i) => ({
    id: `call-${turn}-${i + 1}`,
    name,
    arguments: typeof args === 'string' ? args : JSON.stringify(args),
  }))

/** Returns which turn of its ask a request is, from 1. */
export const turnOf = ({ tools }: AgentRequest) => (tools?.turns.length ?? 0) + 1

/** An agent that calls tools; its turns by the script, then the answer `Answer: 42`. */
export function agentThatCalls(
  turns: readonly ScriptedTurn[] | ((request: AgentRequest) => ScriptedTurn),
  change: Partial<Agent> = {},
): Agent & { requests: AgentRequest[] } {
  const requests: AgentRequest[] = []
  const agent = agentOf(
    (request) => {
      requests.push(request)
      const number = turnOf(request)
      const turn = typeof turns === 'function' ? turns(request) : (turns[number - 1] ?? 'Answer: 42')
      if (!Array.isArray(turn)) return turn as string | Partial<AgentReply>
      return { text: '', toolCalls: callsOf(turn as ScriptedCall[], number) }
    },
    { tools: 'called', ...change },
  )
  return Object.assign(agent, { requests })
}

const all: ResolvedTool = { kind: 'workspace', allow: ['read', 'list', 'write', 'check'] }

/** The tools of a method: by default all of the workspace, for each producing role. */
export const toolsOf = (
  known: Record<string, ResolvedTool> = { workspace: all },
  { given = Object.keys(known), turns = defaultToolTurns }: Partial<MethodTools> = {},
): MethodTools => ({ known, given, turns })
