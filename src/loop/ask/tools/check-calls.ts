import type { AgentReply } from '../../../agents/agent.ts'
import type { Attempt } from '../agent-request.ts'

/** Returns a reply whose calls may be made: where the agent was given no tools it has none, and in the last turn they are an error. */
export function checkCalls(reply: AgentReply, { turn }: Attempt): AgentReply {
  const { toolCalls, message, ...others } = reply
  if (toolCalls === undefined || reply.error) return others
  if (!turn || toolCalls.length === 0) return others
  if (!turn.tools.mustAnswer) return reply
  const { turns } = turn.tools
  const error = {
    reason: 'tools' as const,
    message: `called ${toolCalls.map(({ name }) => name).join(', ')} in its last turn, after ${turns.length === 1 ? '1 turn' : `${turns.length} turns`} with calls, instead of answering`,
  }
  return { ...others, error }
}
