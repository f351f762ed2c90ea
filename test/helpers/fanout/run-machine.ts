import type { AgentReply, AgentRequest } from '../../../src/agents/agent.ts'
import type { Machine } from '../../../src/schema/machine/machine-file.ts'
import { agentOf, playTrial, type Setting } from '../runs/trial.ts'
import { recordOf, runsMachine } from './machine-lines.ts'

type Reply = Partial<AgentReply> | string
/** What a role says in a branch, such as `draft.ada`; empty: the root. */
export type Say = (role: string, branch: string, request: AgentRequest) => Reply

/** Returns an agent for all roles that takes 10 ms for each reply, and notes the keys that it was asked. */
const sayingAgent = (say: Say, asked: string[] = []) =>
  agentOf(async (request) => {
    asked.push(request.trial.key)
    const reply = say(request.role, request.trial.key.split('#')[0] ?? '', request)
    return { durationMs: 10, ...(typeof reply === 'string' ? { text: reply } : reply) }
  })

/** Runs a machine in a trial over the real loop. */
export async function runInTrial(
  machine: Machine,
  say: Say,
  setting: Partial<Setting> = {},
  more: Parameters<typeof runsMachine>[1] = {},
) {
  const asked: string[] = []
  const agent = sayingAgent(say, asked)
  const played = await playTrial({ agent, strategy: runsMachine(machine, more), ...setting })
  return { ...played, asked, machine: () => recordOf(played.record) }
}
