import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** Plays a strategy with an agent that numbers its replies; returns the turns that each call got. */
async function turnsOf(run: (context: AnyContext) => Promise<unknown>, folder?: string) {
  const seen: AgentRequest['turns'][] = []
  let asked = 0
  const agent = agentOf(({ turns }) => {
    seen.push(turns)
    return `reply ${++asked}`
  })
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done' }
  })
  const played = await playTrial({ agent, strategy, ...(folder && { folder }) })
  return { seen, ...played }
}

it('an ask with a session gets the earlier turns of the same role in the same branch', async () => {
  const { seen } = await turnsOf(async ({ ask, branch }) => {
    await ask('judge', 'one', { session: 's' })
    await ask('judge', 'two', { session: 's' })
    await ask('planner', 'other role', { session: 's' })
    await ask('judge', 'other session', { session: 't' })
    await ask('judge', 'no session')
    await branch('b', async (inner) => {
      await inner.ask('judge', 'three in b', { session: 's' })
    })
    await ask('judge', 'three', { session: 's' })
  })
  const one = { prompt: 'one', reply: 'reply 1' }
  const two = { prompt: 'two', reply: 'reply 2' }
  expect(seen).toEqual([[], [one], [], [], undefined, [one, two], [one, two]])
})

it('a conversation keeps only the original prompt and the valid reply of a repair', async () => {
  const seen: AgentRequest['turns'][] = []
  let asked = 0
  const agent = agentOf(({ turns }) => {
    seen.push(turns)
    return ++asked === 1 ? 'no data' : '{"ok":true}'
  })
  const shape = z.object({ ok: z.boolean() })
  const strategy = strategyOf(async ({ ask }) => {
    await ask('judge', 'one', { session: 's', shape })
    await ask('judge', 'two', { session: 's' })
    return { stopReason: 'done' }
  })
  await playTrial({ agent, strategy })
  expect(seen.slice(0, 2)).toEqual([[], []])
  expect(seen[2]).toHaveLength(1)
  expect(seen[2]?.[0]?.prompt).toMatch(/^one/)
  expect(seen[2]?.[0]?.prompt).not.toContain('could not be used')
  expect(seen[2]?.[0]?.reply).toBe('{"ok":true}')
})

it('a resumed trial has its turns from the journal', async () => {
  const first = await turnsOf(async ({ ask }) => {
    await ask('judge', 'one', { session: 's' })
  })
  const second = await turnsOf(async ({ ask }) => {
    await ask('judge', 'one', { session: 's' })
    await ask('judge', 'two', { session: 's' })
  }, first.folder)
  expect(second.seen).toEqual([[{ prompt: 'one', reply: 'reply 1' }]])
})
