import { describe, expect, it } from 'vitest'
import { declarationOf } from '../../../src/loop/plan/task-asks.ts'
import type { StageScene } from '../../../src/testing/play-stage.ts'
import { play } from '../../../src/testing.ts'
import { chained } from '../../../strategies/chained.ts'
import { bad, begun, failedTests, good, revised } from '../../helpers/chained/chain-states.ts'

const playChain = (stages: StageScene[], options: object, state: object = begun) =>
  play(chained, { state: JSON.stringify(state), ...options } as never, [], {
    ...{ output: 'files' as const, files: { 'area.mjs': 'old\n' }, stages },
  })

describe('a chain without the stage build', () => {
  it.each([
    ['test', [bad('test', failedTests)]],
    ['test:review', [bad('test', failedTests), bad('review', revised)]],
  ])('has one round: stages=%s', async (stages, scenes) => {
    const played = await playChain(scenes, { stages, rounds: 3 })
    expect(played.stages.map(({ id }) => id).join(':')).toBe(stages)
    const by = stages.replace(':', ', ')
    expect(played.result.detail).toBe(`nothing was handed in; not good after 1 round, by ${by}`)
  })

  it('says why nothing was handed in', async () => {
    const { result } = await playChain([good('plan')], { stages: 'ship:plan' })
    expect(result.detail).toBe('nothing was handed in; the chain has no stage `build`')
  })
})

it('a stage alone that does not apply is good, and says so', async () => {
  const played = await playChain([], { only: 'test' }, { ...begun, output: 'answer' })
  expect(played.stages).toEqual([])
  expect(played.result).toMatchObject({
    detail: expect.stringContaining('stage test alone: n/a, the task wants an answer'),
    state: { ends: [{ stage: 'test', round: 1, exit: 0 }] },
  })
})

it('a stage is told how long it may take', async () => {
  const played = await playChain([good('test')], { only: 'test', stageSeconds: 8 })
  expect(played.stages[0]?.program.env).toEqual({ CHAIN_SECONDS: '8' })
})

it('a stage is told to hand on what tools print, and what agents read is declared', async () => {
  const played = await playChain([good('test')], { only: 'test', stageSeconds: 8, reports: 'raw' })
  expect(played.stages[0]?.program.env).toEqual({ CHAIN_SECONDS: '8', CHAIN_REPORTS: 'raw' })
  const told = (reports: string) => declarationOf(chained, chained.options.parse({ reports }))?.context
  expect([told('raw'), told('compact')]).toEqual([
    expect.stringContaining('all that builds and tests print'),
    expect.stringContaining('the failures alone'),
  ])
})
