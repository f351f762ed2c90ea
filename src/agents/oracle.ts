import { InfrastructureError } from '../errors.ts'
import type { Task } from '../schema/task.ts'
import type { Agent } from './agent.ts'
import { handIn } from './candidates.ts'
import { controlData, controlReply } from './control-reply.ts'
import { referenceOf } from './reference.ts'

/**
 * Hands in the reference solution and approves of what there is: the control that every task must be passed by. What it
 * hands in is secret, so only its hash is journaled.
 */
export function createOracle(tasks: readonly Task[]): Agent {
  const known = new Map(tasks.map((task) => [task.ref, task]))
  return {
    name: 'oracle',
    paid: false,
    simulated: true,
    virtualTime: true,
    async ask(request, signal) {
      signal.throwIfAborted()
      if (request.work !== 'produce') {
        // Nothing yet is nothing to approve of: a method that audits first would never ask for work.
        const approved = request.work !== 'judge' || request.history.some(({ work }) => work === 'produce')
        const verdict = approved ? 'Approved.' : 'Nothing is there yet.'
        const text = request.work === 'judge' ? verdict : 'Do what the task says.'
        return controlReply(request, controlData(request, approved, text))
      }
      const task = known.get(request.trial.task)
      if (!task)
        throw new InfrastructureError(`[agent oracle] was never given the task ${request.trial.task}`)
      const text = handIn(referenceOf(task), task, request.workspace)
      return controlReply(request, controlData(request, true, text), true)
    },
  }
}
