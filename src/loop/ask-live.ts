import type { z } from 'zod'
import type { Agent, AgentRequest } from '../agents/agent.ts'
import { sha256 } from '../canonical.ts'
import type { AskStep } from '../schema/step.ts'
import type { AskOptions } from '../strategy.ts'
import { agentWorkspace, type OpenFolder } from './agent-workspace.ts'
import type { Branch } from './branch.ts'
import { DivergenceError, Interrupted, type TrialDoor, withheld } from './door.ts'
import { type Delivered, takeFolder } from './edits.ts'
import { lostStep } from './lost-step.ts'
import { reach } from './reach.ts'

/** One attempt of an ask, as it goes to the agent. */
export interface Attempt {
  key: string
  attempt: number
  role: string
  work: AskStep['work']
  prompt: string
  schema: AgentRequest['schema'] | undefined
  options: (AskOptions & { shape?: z.ZodType }) | undefined
}

/** Asks for real: a paid call's intent is durable before it, its result before it is used. */
export async function askLive(
  door: TrialDoor,
  branch: Branch,
  agent: Agent,
  call: Attempt,
  hash: string,
  timeoutMs: number | undefined,
): Promise<{ step: AskStep; delivered: Delivered }> {
  const { run, trial } = door
  const { journal } = run
  if (!journal) throw new DivergenceError(`[trial ${trial.id}, step ${call.key}] the journal holds no reply`)
  if (branch.signal.aborted) throw new Interrupted()
  if (agent.paid) {
    door.paid = true
    await journal.intent({ trial: trial.id, key: call.key, attempt: call.attempt, agent: agent.name, hash })
  }

  const folder: OpenFolder = {}
  try {
    const reply = await reach(agent, requestOf(door, branch, call, timeoutMs, folder), branch.signal)
    const delivered: Delivered = reply.error
      ? { text: reply.text, changeSet: undefined, edits: [] }
      : takeFolder(door, branch, call.work, reply.text, folder.path)
    const error =
      reply.error ??
      (isEmpty(delivered) ? { reason: 'empty' as const, message: 'gave an empty reply' } : undefined)
    // Fields that are undefined are not written; one shape for all keeps this path fast.
    const step: AskStep = {
      trial: trial.id,
      key: call.key,
      attempt: call.attempt,
      kind: 'ask',
      payer: 'method',
      hash,
      at: branch.clock,
      durationMs: reply.durationMs,
      iteration: branch.iteration,
      role: call.role,
      work: call.work,
      agent: agent.name,
      simulated: agent.simulated,
      prompt: door.secret ? withheld : call.prompt,
      system: call.options?.system,
      session: call.options?.session,
      reply: reply.secret ? undefined : reply.text,
      replyHash: reply.secret ? sha256(reply.text) : undefined,
      changeSet: delivered.changeSet,
      tokens: reply.tokens,
      costUsd: reply.costUsd,
      waitMs: 0,
      error,
      repair: call.attempt > 1 ? true : undefined,
    }
    journal.step(step)
    if (agent.paid) await journal.syncSteps()
    return { step, delivered }
  } catch (error) {
    // The run goes on without this call's result: nobody else would tell that it may have been paid.
    if (agent.paid && !run.signal.aborted) {
      journal.step(
        lostStep({ trial: trial.id, key: call.key, attempt: call.attempt, agent: agent.name, hash }),
      )
      await journal.syncSteps()
    }
    throw error
  } finally {
    folder.remove?.()
  }
}

/** A reply that only its hash may stand for is asked for again; it costs nothing and must be the same. */
export async function tellAgain(
  door: TrialDoor,
  branch: Branch,
  agent: Agent,
  call: Attempt,
  step: AskStep,
  timeoutMs: number | undefined,
): Promise<Delivered> {
  const folder: OpenFolder = {}
  const request = requestOf(door, branch, call, timeoutMs, folder)
  const reply = await reach(agent, request, branch.signal).finally(() => folder.remove?.())
  if (sha256(reply.text) !== step.replyHash)
    throw new DivergenceError(
      `[trial ${door.trial.id}, step ${call.key}] ${agent.name} now replies something else than was journaled by hash`,
    )
  return takeFolder(door, branch, call.work, reply.text, undefined)
}

function requestOf(
  door: TrialDoor,
  branch: Branch,
  call: Attempt,
  timeoutMs: number | undefined,
  folder: OpenFolder,
): AgentRequest {
  const { cell, id, epoch } = door.trial
  const { options } = call
  return {
    role: call.role,
    work: call.work,
    prompt: call.prompt,
    system: options?.system,
    session: options?.session,
    tools: options?.tools ?? [],
    maxOutput: options?.maxOutput,
    timeoutMs,
    schema: call.schema,
    attempt: call.attempt,
    repair: call.attempt > 1,
    trial: {
      id,
      task: cell.task,
      method: cell.method.label,
      strategy: door.strategy.name,
      epoch,
      seed: cell.seed,
      key: call.key,
    },
    roles: door.strategy.roles,
    history: branch.state.history,
    workspace: agentWorkspace(door, branch, folder),
  }
}

function isEmpty({ text, changeSet }: Delivered): boolean {
  return text.trim() === '' && !changeSet?.changes.length
}
