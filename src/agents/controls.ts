import type { Task } from '../schema/task.ts'
import { InfrastructureError } from '../text/errors.ts'
import { estimateTokens } from '../text/token-estimate.ts'
import type { Agent, AgentReply, AgentRequest } from './agent.ts'
import { referenceOf } from './reference.ts'
import { formatSubmission } from './simulated/candidates.ts'
import { isRouting, nextRole } from './simulated/routing.ts'
import { fillShape, textPlace } from './simulated/shape-fill.ts'

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
      const text = formatSubmission(referenceOf(task), task, request.workspace)
      return controlReply(request, controlData(request, true, text), true)
    },
  }
}

/** A reply of a control: its tokens are estimated, it costs nothing and takes no time. */
export function controlReply({ prompt, system }: AgentRequest, text: string, secret = false): AgentReply {
  return {
    text,
    tokens: {
      input: estimateTokens(prompt) + (system === undefined ? 0 : estimateTokens(system)),
      output: estimateTokens(text),
      cached: 0,
    },
    costUsd: 0,
    durationMs: 0,
    ...(secret && { secret }),
  }
}

/** A control's text in the wanted shape: everything approved or nothing, the usual next role where one is to be chosen. */
export function controlData(request: AgentRequest, approved: boolean, text: string): string {
  if (!request.schema) return text
  const value = fillShape(request.schema, {
    signal: approved ? 1 : 0,
    approved,
    items: request.work === 'judge' && approved ? 0 : 1,
    text: () => text,
    choose: (values) => (isRouting(values, request.roles) ? nextRole(values, request) : undefined),
  })
  return JSON.stringify(value).replace(textPlace, '')
}
