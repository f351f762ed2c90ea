import { expect, it } from 'vitest'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const again = ({ ask }: AnyContext) => ask('solver', 'again').catch(() => {})
const fine = agentOf(() => 'Answer: 42')

it('a trial is billed for asks of side branches, also for those in flight when another branch ignores its refusals', async () => {
  const agent = agentOf(
    async ({ trial }) => {
      await wait(trial.key.startsWith('slow') ? 200 : 1)
      return 'x'
    },
    { paid: true },
  )
  const strategy = strategyOf(async ({ branch }) => {
    const deaf = async ({ ask }: AnyContext) => {
      for (;;) await ask('judge', 'again').catch(() => {})
    }
    await Promise.all([branch('slow', ({ ask }) => ask('judge', 'long')), branch('deaf', deaf)])
    return { stopReason: 'done' }
  })
  const { record, steps, folder } = await playTrial({ agent, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({ outcome: { status: 'limited' }, spent: { calls: 3, costUsd: 0.03 } })
  expect(steps.filter(({ kind }) => kind === 'ask')).toHaveLength(3)
  const replayed = await playTrial({ agent, strategy, limits: { calls: 2 }, folder, replay: true })
  expect({ ...replayed.record, wall: 0 }).toEqual({ ...record, wall: 0 })
})

it('a method ends that keeps opening new branches for refused ones', async () => {
  const strategy = strategyOf(async ({ branch }) => {
    const deaf = async ({ ask }: AnyContext) => {
      for (;;) await ask('solver', 'again').catch(() => {})
    }
    for (;;) await branch('deaf', deaf).catch(() => {})
  })
  const { record } = await playTrial({ agent: fine, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({ outcome: { status: 'limited' }, spent: { calls: 2 } })
})

it.each([
  ['in sequence', ({ branch }: AnyContext) => branch('x', again)],
  ['nested', ({ branch }: AnyContext) => branch('x', ({ branch }) => branch('y', again))],
  ['in parallel', ({ branch }: AnyContext) => Promise.all([branch('x', again), branch('y', again)])],
])('a trial writes few refusals when each reaches a new branch, %s', async (_, open) => {
  const strategy = strategyOf(async (context) => {
    for (;;) await open(context)
  })
  const { record, steps } = await playTrial({ agent: fine, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({ outcome: { status: 'limited', reason: expect.stringContaining('calls') } })
  expect(steps.length).toBeLessThan(100)
})

it('a method with many branches that are each refused once can hand in its result', async () => {
  const strategy = strategyOf(async (context) => {
    await again(context)
    await again(context)
    await Promise.all(Array.from({ length: 60 }, (_, i) => context.branch(`${i}`, again)))
    return { answer: '42', stopReason: 'done', detail: 'handed in' }
  })
  const { record } = await playTrial({ agent: fine, strategy, limits: { calls: 2 } })
  expect(record).toMatchObject({ outcome: { status: 'limited' }, detail: 'handed in' })
})

it('a branch ends that lost a first and catches every interrupt', async () => {
  const strategy = strategyOf(async ({ first }) => {
    const { name } = await first({
      deaf: async ({ ask }) => {
        for (;;) await ask('judge', 'slow').catch(() => {})
      },
      quick: ({ ask }) => ask('judge', 'quick'),
    })
    return { answer: '42', stopReason: 'done', detail: name }
  })
  const agent = agentOf(({ prompt }) => wait(prompt.includes('quick') ? 1 : 100).then(() => 'x'))
  expect((await playTrial({ agent, strategy, mode: 'live' })).record).toMatchObject({
    outcome: { status: 'completed' },
    detail: 'quick',
  })
})
