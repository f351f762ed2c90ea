import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Agent } from '../../../src/agents/agent.ts'
import type { KindOfWork } from '../../../src/ask.ts'
import type { Task } from '../../../src/schema/task.ts'
import { agentRequest, type Wanted } from './agent-request.ts'

/** One way to make a provider's agent for the contract suite. */
export interface AgentSubject {
  /** Makes the agent; it is asked about this task. */
  create: () => Agent | Promise<Agent>
  task: Task
  /** It gives equal replies to equal requests. */
  deterministic: boolean
  /** New folders, for agents that need them. */
  folders?: () => Pick<Wanted, 'folder' | 'home'>
}

const works: readonly [KindOfWork, string][] = [
  ['produce', 'code-generator'],
  ['judge', 'auditor'],
  ['summarise', 'summarizer'],
  ['decide', 'refiner'],
]

/** Declares the tests that every provider must pass. */
export function agentContract({ create, task, deterministic, folders }: AgentSubject): void {
  const about = (wanted: Wanted = {}) =>
    agentRequest({ files: task.files, ...folders?.(), ...wanted, trial: { task: task.ref, ...wanted.trial } })
  const made = async () => {
    const agent = await create()
    await agent.prepare?.(task)
    return agent
  }

  it('has a name of the form provider or provider:model', async () => {
    expect((await made()).name).toMatch(/^[a-z][a-z-]*(:.+)?$/)
  })

  it.each(works)('replies to a request to %s with text, tokens, cost and time', async (work, role) => {
    const agent = await made()
    const reply = await agent.ask(about({ work, role }), new AbortController().signal)
    expect(typeof reply.text).toBe('string')
    for (const count of Object.values(reply.tokens)) expect(count === null || count >= 0).toBe(true)
    const kinds = ['cached', 'cacheWrite', 'cacheWriteHour', 'input', 'output', 'reasoning']
    expect(kinds).toEqual(expect.arrayContaining(Object.keys(reply.tokens)))
    expect(Object.keys(reply.tokens)).toEqual(expect.arrayContaining(['cached', 'input', 'output']))
    expect(reply.costUsd === null || reply.costUsd >= 0).toBe(true)
    expect(reply.durationMs).toBeGreaterThanOrEqual(0)
    expect(Number.isFinite(reply.durationMs)).toBe(true)
    if (reply.error) expect(reply.error.message).not.toBe('')
  })

  it('returns plain data that survives JSON', async () => {
    const agent = await made()
    const reply = await agent.ask(about(), new AbortController().signal)
    expect(JSON.parse(JSON.stringify(reply))).toEqual(reply)
  })

  it('rejects if the run was stopped before the ask', async () => {
    const agent = await made()
    const stopped = AbortSignal.abort(new Error('stopped'))
    await expect((async () => agent.ask(about(), stopped))()).rejects.toThrow('stopped')
  })

  it('leaves the request unchanged', async () => {
    const agent = await made()
    const { workspace, ...request } = about({
      work: 'judge',
      role: 'auditor',
      schema: z.toJSONSchema(z.object({ ok: z.boolean() })) as Record<string, unknown>,
    })
    const before = structuredClone(request)
    await agent.ask({ ...request, workspace }, new AbortController().signal)
    expect(request).toEqual(before)
  })

  if (deterministic)
    it('gives equal replies to equal requests, also from a new agent and in another order', async () => {
      const requests = works.flatMap(([work, role]) =>
        ['#1', '#2'].map((key) => about({ work, role, trial: { key } })),
      )
      const replies = async (agent: Agent, order: typeof requests) => {
        const given = new Map<string, unknown>()
        for (const request of order) {
          given.set(
            `${request.role}${request.trial.key}`,
            await agent.ask(request, new AbortController().signal),
          )
        }
        return given
      }
      const agent = await made()
      const first = await replies(agent, requests)
      expect(await replies(agent, requests.toReversed())).toEqual(first)
      expect(await replies(await made(), requests.toReversed())).toEqual(first)
    })
}
