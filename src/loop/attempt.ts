import type { z } from 'zod'
import type { Agent, AgentRequest } from '../agents/agent.ts'
import type { AskStep } from '../schema/step.ts'
import type { AskOptions } from '../strategy.ts'
import { estimateTokens } from '../tokens.ts'
import { agentWorkspace, type OpenFolder } from './agent-workspace.ts'
import type { Branch } from './branch.ts'
import type { TrialDoor } from './door.ts'
import type { Used } from './limits.ts'
import { turnsOf } from './session-turns.ts'

/** One attempt of an ask, as it goes to the agent. */
export interface Attempt {
  agent: Agent
  key: string
  attempt: number
  /** SHA-256 of the request. */
  hash: string
  /** The longest that it may take; ms. */
  timeoutMs: number | undefined
  role: string
  work: AskStep['work']
  prompt: string
  /** Asks for a repair of a reply that did not parse. */
  repair: boolean
  /** Attempts before this one that failed, of the same prompt. */
  retries: number
  /** To be waited before it, outside the clock; ms. */
  waitMs: number
  schema: AgentRequest['schema'] | undefined
  options: (AskOptions & { shape?: z.ZodType }) | undefined
  /** What the branch had used when the ask began, where the ask has limits of its own. */
  begun: Used | undefined
}

/** The attempt as the agent gets it. */
export function requestOf(door: TrialDoor, branch: Branch, call: Attempt, folder: OpenFolder): AgentRequest {
  const { cell, id, epoch } = door.trial
  const { options } = call
  // One shape for all: fields that follow a spread are added one by one, which took a fortieth of a dry run.
  return {
    role: call.role,
    work: call.work,
    prompt: call.prompt,
    system: options?.system,
    session: options?.session,
    turns:
      options?.session === undefined ? undefined : turnsOf(branch.state.sessions, call.role, options.session),
    maxOutput: options?.maxOutput,
    timeoutMs: call.timeoutMs,
    schema: call.schema,
    attempt: call.attempt,
    repair: call.repair,
    trial: {
      id,
      task: cell.task,
      method: cell.method.label,
      strategy: door.strategy.name,
      epoch,
      seed: cell.seed,
      key: call.key,
      rerun: door.recorded?.reruns ?? 0,
    },
    roles: door.roles,
    history: branch.state.history,
    workspace: agentWorkspace(door, branch, folder),
  }
}

/** Tokens that an attempt may use, to an estimate: what goes in, and the most that may come out where the ask says so. */
export function expectedTokens({ state }: Branch, { role, prompt, options }: Attempt): number {
  const turns = options?.session === undefined ? [] : turnsOf(state.sessions, role, options.session)
  const texts = [prompt, options?.system ?? '', ...turns.flatMap(({ prompt, reply }) => [prompt, reply])]
  return texts.reduce((sum, text) => sum + estimateTokens(text), options?.maxOutput ?? 0)
}
