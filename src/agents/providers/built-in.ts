import type { Task } from '../../schema/task.ts'
import { InfrastructureError, UserError } from '../../text/errors.ts'
import { estimateTokens } from '../../text/token-estimate.ts'
import type { Agent, AgentReply, AgentRequest } from '../agent.ts'
import type { Provider } from '../provider.ts'
import { referenceOf } from '../reference.ts'
import { loadScripted } from '../scripted.ts'
import { isRouting, nextRole } from '../simulated/routing.ts'
import { fillShape, textPlace } from '../simulated/shape-fill.ts'
import { createSimulated } from '../simulated/simulated.ts'
import { formatSubmission } from '../simulated/submissions.ts'

/** Creates the control that submits nothing and approves nothing. It must fail every task. */
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
 * Creates the control that submits the reference solution and approves all work. It must pass every task. Its submission
 * is secret, so only the hash is journaled.
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
        // It rejects before the first work, or a method that audits first would never ask for work.
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

/** Builds a control's reply. Its tokens are estimated; it costs nothing and takes no time. */
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

/** Puts a control's text into the requested shape: approves everything or nothing, and chooses the usual next role. */
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

/** Simulated agents. */
export const simulated: Provider = {
  name: 'simulated',
  reaches: 'nothing',
  tools: 'called',
  summary:
    'Answers from a seeded behaviour profile: no model, no network, no cost; files and grading are real.',
  model: '[MODEL]',
  create: (model, { profile, ...environment }) => {
    if (profile) return createSimulated({ profile, model, ...environment })
    const fix = 'Run in dev mode or name a profile.'
    throw new UserError({ where: 'agent simulated', what: 'needs a behaviour profile', fix })
  },
}

/** The control that submits the reference solution. */
export const oracle: Provider = {
  name: 'oracle',
  reaches: 'nothing',
  summary: 'Submits the reference solution and approves everything; it must pass every task.',
  create: (_, { tasks }) => createOracle(tasks),
}

/** The control that submits nothing. */
export const noOp: Provider = {
  name: 'no-op',
  reaches: 'nothing',
  summary: 'Submits nothing and approves nothing; it must fail every task.',
  create: () => createNoOp(),
}

/** Agents of the user's modules. */
export const scripted: Provider = {
  name: 'scripted',
  reaches: 'module',
  tools: 'called',
  summary: 'Replies from a module of yours: a function of the request or a list of replies.',
  model: 'PATH',
  create: (path, { cwd }) => loadScripted(path, cwd),
}
