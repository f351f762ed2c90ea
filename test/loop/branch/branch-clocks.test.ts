import { expect, it } from 'vitest'
import { contrary } from '../../helpers/agents/contrary.ts'
import { type AnyContext, agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

it('a trial ends as limited when its clock reaches the limit, and a later reply is cut off', async () => {
  const agent = agentOf(({ timeoutMs = Infinity }) =>
    timeoutMs < 1000
      ? { durationMs: timeoutMs, error: { reason: 'timeout', message: 'too late' } }
      : 'Answer: 42',
  )
  const strategy = strategyOf(async ({ ask }) => {
    await ask('solver', 'a')
    await ask('solver', 'b')
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent, strategy, limits: { timeMs: 1500 } })
  // The files at the time of the cut are graded.
  expect(record).toMatchObject({
    outcome: { status: 'limited', reason: expect.stringContaining('timeMs') },
    durationMs: 1500,
    passed: true,
  })
})

it("an ask's own timeout is an error for the strategy, not a limit of the trial", async () => {
  const agent = agentOf(({ timeoutMs }) =>
    timeoutMs === undefined
      ? 'Answer: 42'
      : { durationMs: timeoutMs, error: { reason: 'timeout', message: 'too late' } },
  )
  const { record } = await playTrial({
    agent,
    strategy: strategyOf(async ({ ask }) => {
      await ask('solver', 'a', { timeoutMs: 100 }).catch(() => {})
      await ask('solver', 'b')
      return { stopReason: 'done' }
    }),
  })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, durationMs: 1100, passed: true })
})

it('first() takes the smallest clock in dev mode, whichever branch replies first', async () => {
  const strategy = strategyOf(async ({ first }) => {
    const { name, value } = await first({
      quick: ({ ask }: AnyContext) => ask('judge', 'takes 10'),
      slow: ({ ask }: AnyContext) => ask('judge', 'takes 200'),
      broken: async () => {
        throw new Error('no')
      },
    })
    return { answer: '42', stopReason: 'done', detail: `${name}: ${value}` }
  })
  const { record, steps } = await playTrial({ agent: contrary, strategy })
  expect(record).toMatchObject({ detail: expect.stringContaining('quick'), durationMs: 10 })
  expect(steps.find(({ kind }) => kind === 'first')).toMatchObject({ winner: 'quick' })
})

it('a record lists the history of parallel branches in the order of their clocks', async () => {
  const strategy = strategyOf(async ({ ask, branch, label }) => {
    label({ round: 1 })
    await ask('planner', 'takes 10')
    await Promise.all(
      [200, 10, 100].map((takes) =>
        branch(`takes-${takes}`, async ({ ask }) => {
          await ask('judge', `takes ${takes}`)
          await ask('judge', 'takes 10')
        }),
      ),
    )
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: contrary, strategy })
  expect(record.history?.map(({ branch, at }) => [branch, at])).toEqual([
    ['', 0],
    ['takes-10', 10],
    ['takes-100', 10],
    ['takes-200', 10],
    ['takes-10', 20],
    ['takes-100', 110],
    ['takes-200', 210],
  ])
})
