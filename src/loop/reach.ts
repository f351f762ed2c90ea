import type { Agent, AgentReply, AgentRequest } from '../agents/agent.ts'
import { InfrastructureError } from '../errors.ts'
import { Interrupted } from './door.ts'

/** Calls the agent under the harness's own stopwatch: a timeout is recorded, whatever the agent does about it. */
export function reach(agent: Agent, request: AgentRequest, signal: AbortSignal): Promise<AgentReply> {
  if (agent.virtualTime || request.timeoutMs === undefined) return settle(agent, request, signal)
  const { timeoutMs } = request
  const started = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const expired = new Promise<AgentReply>((resolve) => {
    timeout.addEventListener('abort', () =>
      resolve({
        text: '',
        tokens: { input: null, output: null, cached: null },
        costUsd: null,
        durationMs: Math.min(performance.now() - started, timeoutMs),
        error: { reason: 'timeout', message: `no reply in ${timeoutMs} ms` },
      }),
    )
  })
  const reply = settle(agent, request, AbortSignal.any([signal, timeout])).catch((error) => {
    if (timeout.aborted && !signal.aborted) return expired
    throw error
  })
  return Promise.race([reply, expired])
}

async function settle(agent: Agent, request: AgentRequest, signal: AbortSignal): Promise<AgentReply> {
  try {
    const reply = await agent.ask(request, signal)
    if (signal.aborted && !reply.text) throw new Interrupted()
    return reply
  } catch (error) {
    if (signal.aborted) throw new Interrupted()
    throw new InfrastructureError(`[agent ${agent.name}] the adapter broke: ${(error as Error).message}`, {
      cause: error,
    })
  }
}
