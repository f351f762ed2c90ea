import type { Agent } from './agent.ts'
import { controlData, controlReply } from './control-reply.ts'

/** Hands in nothing and approves of nothing: the control that every task must be failed by. */
export function createNoOp(): Agent {
  return {
    name: 'no-op',
    paid: false,
    simulated: true,
    virtualTime: true,
    async ask(request, signal) {
      signal.throwIfAborted()
      return controlReply(request, controlData(request, false, 'Nothing was done.'))
    },
  }
}
