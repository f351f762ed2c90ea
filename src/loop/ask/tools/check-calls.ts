import type { AgentReply } from '../../../agents/agent.ts'
import type { AskTurn } from '../agent-request.ts'

/** Returns the reply of a turn, whose calls may be made: one that failed has none, and in the last turn they are an error. */
export function checkCalls(reply: AgentReply, { tools }: AskTurn): AgentReply {
  const { toolCalls, message, ...others } = reply
  if (toolCalls === undefined || toolCalls.length === 0 || reply.error) return others
  if (!tools.mustAnswer) return reply
  const { turns } = tools
  const error = {
    reason: 'tools' as const,
    message: `called ${toolCalls.map(({ name }) => name).join(', ')} in its last turn, after ${turns.length === 1 ? '1 turn' : `${turns.length} turns`} with calls, instead of answering`,
  }
  return { ...others, error }
}
