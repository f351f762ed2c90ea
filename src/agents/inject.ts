import { type Random, seededRandom } from '../base/random.ts'
import { type FaultKind, type FaultRates, sumOf } from '../schema/agent/faults.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'
import { faults } from './faults.ts'

/**
 * Wraps an agent so that it fails at the given rates. The fault of an attempt depends only on the trial, the ask's key and
 * the attempt, so equal runs fail equally, whatever runs beside them; only `kill` is not seeded. Returns the agent itself
 * if no rate is above 0.
 */
export function injectFaults(agent: Agent, rates: FaultRates): Agent {
  if (sumOf(rates) === 0) return agent
  const { kill = 0, ...seeded } = rates
  return {
    ...agent,
    async ask(request, signal) {
      const { id, key, rerun } = request.trial
      const random = seededRandom(`fault/${id}/${key}/${request.attempt}/${rerun}`)
      const kind = Math.random() < kill ? 'kill' : drawFault(seeded, random)
      return kind === undefined
        ? agent.ask(request, signal)
        : applyFault(kind, agent, request, signal, random)
    },
  }
}

async function applyFault(
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
  // An attempt that failed by itself gets no second failure.
  return reply.error ? reply : { ...(await fault.after(reply, call)), fault: kind }
}

function drawFault(rates: FaultRates, random: Random): FaultKind | undefined {
  let draw = random()
  for (const kind in faults) {
    draw -= rates[kind as FaultKind] ?? 0
    if (draw < 0) return kind as FaultKind
  }
  return undefined
}
