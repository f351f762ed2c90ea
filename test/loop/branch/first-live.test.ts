import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

it('first() takes the first branch to succeed in live mode, cuts off the others, and replays the same', async () => {
  const started: string[] = []
  const agent = agentOf(async ({ trial }) => {
    started.push(trial.key)
    await wait(trial.key.startsWith('slow') ? 300 : 5)
    return { text: 'x', durationMs: 5 }
  })
  const strategy = strategyOf(async ({ first }) => {
    const loop = async ({ ask }: AnyContext) => {
      for (let i = 0; i < 3; i++) await ask('judge', 'go')
      return 'end'
    }
    const { name } = await first({ slow: loop, quick: loop })
    return { answer: '42', stopReason: 'done', detail: name }
  })
  const live = await playTrial({ agent, strategy, mode: 'live' })
  expect(live.record.detail).toBe('quick')
  expect(started.filter((key) => key.startsWith('slow'))).toHaveLength(1)
  const again = await playTrial({
    agent: agentOf(() => {
      throw new Error('asked')
    }),
    strategy,
    mode: 'live',
    folder: live.folder,
    replay: true,
  })
  expect(again.divergences).toEqual([])
  expect({ ...again.record, wall: 0 }).toEqual({ ...live.record, wall: 0 })
})
