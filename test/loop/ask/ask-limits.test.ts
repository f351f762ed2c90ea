import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AskOptions } from '../../../src/ask.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { agentOf, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const Verdict = z.object({ approved: z.boolean() })

/** Asks once for data under limits; the answer describes the result. */
const underLimits = (limits: NonNullable<AskOptions['limits']>, options: AskOptions = {}) =>
  strategyOf(async ({ ask }) => {
    try {
      await ask('judge', 'Is it right?', { ...options, shape: Verdict, limits })
      return { answer: '42', stopReason: 'done' }
    } catch (error) {
      if (!(error instanceof AgentError)) throw error
      return { answer: `${error.reason}: ${error.message}`, stopReason: 'stuck' }
    }
  })

/** Gives valid data only on the second call. */
const slow = agentOf(({ repair }) => (repair ? '{"approved":true}' : 'Well.'))

it('an ask whose limit leaves no repair fails for the strategy, and the trial goes on', async () => {
  for (const limits of [{ calls: 1 }, { tokens: 110 }, { costUsd: 0.01 }, { timeMs: 1000 }]) {
    const played = await playTrial({ agent: slow, strategy: underLimits(limits) })
    const [name] = Object.keys(limits)
    expect(played.record.answer).toMatch(`limit: [role judge] may not be asked again: `)
    expect(played.record.answer).toMatch(`(${name}, a limit of this ask)`)
    expect(played.record).toMatchObject({ outcome: { status: 'completed' }, spent: { calls: 1 } })
    expect(played.steps.map(({ kind }) => kind)).toEqual(['ask', 'limit', 'grade'])
    expect(played.steps[1]).toMatchObject({ key: '#0', attempt: 2, scope: 'ask', limit: name })

    const again = await playTrial({
      agent: slow,
      strategy: underLimits(limits),
      folder: played.folder,
      replay: true,
    })
    expect(again.divergences).toEqual([])
    expect(again.record.answer).toBe(played.record.answer)
  }
})

it('an ask returns its reply even when the call exceeded the ask’s limit', async () => {
  const quick = agentOf(() => '{"approved":true}')
  const { record } = await playTrial({ agent: quick, strategy: underLimits({ tokens: 1, costUsd: 0.001 }) })
  expect(record).toMatchObject({ answer: '42', outcome: { status: 'completed' } })
})

it('a limit counts each ask separately', async () => {
  const strategy = strategyOf(async ({ ask }) => {
    for (let i = 0; i < 3; i++)
      await ask('judge', `Is it right (${i})?`, { shape: Verdict, limits: { calls: 2 } })
    return { answer: '42', stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: slow, strategy })
  expect(record).toMatchObject({ outcome: { status: 'completed' }, spent: { calls: 6 } })
})

it('a repair gets the remaining time of the ask', async () => {
  const times: (number | undefined)[] = []
  const agent = agentOf(({ repair, timeoutMs }) => {
    times.push(timeoutMs)
    return repair ? '{"approved":true}' : 'Well.'
  })
  await playTrial({ agent, strategy: underLimits({ timeMs: 5000 }) })
  await playTrial({ agent, strategy: underLimits({ timeMs: 5000 }, { timeoutMs: 4500 }) })
  await playTrial({ agent, strategy: underLimits({ timeMs: 5000 }), limits: { timeMs: 4200 } })
  expect(times).toEqual([5000, 4000, 4500, 4000, 4200, 3200])
})

it('an unhandled limit of an ask fails the method', async () => {
  const strategy = strategyOf(async ({ ask }) => {
    await ask('judge', 'Is it right?', { shape: Verdict, limits: { calls: 1 } })
    return { stopReason: 'done' }
  })
  const { record } = await playTrial({ agent: slow, strategy })
  expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('limit: ') })
})
