import { type Random, seededRandom } from '../base/random.ts'
import { type FaultKind, type FaultRates, sumOf } from '../schema/agent/faults.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'
import { faults } from './faults.ts'

/**
 * An agent that fails now and then, on purpose. Which attempt is hit by what depends on the trial, the ask's key and
 * the attempt alone, so that equal runs fail alike, whatever runs beside them; only `kill` is drawn by true chance.
 * Gives the agent itself where no rate is above 0.
 */
export function injectFaults(agent: Agent, rates: FaultRates): Agent {
  if (sumOf(rates) === 0) return agent
  const { kill = 0, ...seeded } = rates
  return {
    ...agent,
    async ask(request, signal) {
      const { id, key, rerun } = request.trial
      const random = seededRandom(`fault/${id}/${key}/${request.attempt}/${rerun}`)
      const kind = Math.random() < kill ? 'kill' : drawn(seeded, random)
      return kind === undefined ? agent.ask(request, signal) : struck(kind, agent, request, signal, random)
    },
  }
}

async function struck(
  kind: FaultKind,
  agent: Agent,
  request: AgentRequest,
  signal: AbortSignal,
  random: Random,
): Promise<AgentReply> {
  signal.throwIfAborted()
  const fault = faults[kind]
  const call = { agent, request, signal, random }
  if ('instead' in fault) return { ...(await fault.instead(call)), fault: kind }
  const reply = await agent.ask(request, signal)
  // A failure of the agent's own is no place for a second one.
  return reply.error ? reply : { ...(await fault.after(reply, call)), fault: kind }
}

function drawn(rates: FaultRates, random: Random): FaultKind | undefined {
  let draw = random()
  for (const kind in faults) {
    draw -= rates[kind as FaultKind] ?? 0
    if (draw < 0) return kind as FaultKind
  }
  return undefined
}
