import type { AgentReply } from '../../../agents/agent.ts'
import type { AskTurn } from '../agent-request.ts'

/** Returns the reply of a turn, whose calls may be made: one that failed has none, and in the last turn they are an error. */
export function checkCalls(reply: AgentReply, { tools }: AskTurn): AgentReply {
  const { toolCalls, message, ...others } = reply
  if (toolCalls === undefined || toolCalls.length === 0 || reply.error) return others
  if (!tools.mustAnswer) return reply
  return { ...others, error: lateCallsError(toolCalls, tools.turns.length) }
}

/** The error of an agent that calls tools in its last turn. */
export function lateCallsError(calls: readonly { name: string }[], turns: number) {
  const names = calls.map(({ name }) => name).join(', ')
  return {
    reason: 'tools' as const,
    message: `called ${names} in its last turn, after ${turns === 1 ? '1 turn' : `${turns} turns`} with calls, instead of answering`,
  }
}
