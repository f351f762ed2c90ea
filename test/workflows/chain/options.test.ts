import { describe, expect, it } from 'vitest'
import type { StageScene } from '../../../src/testing/play-stage.ts'
import { play } from '../../../src/testing.ts'
import { AgentError } from '../../../src/text/errors.ts'
import { chained } from '../../../strategies/chained.ts'
import { approved, bad, begun, failedTests, good } from '../../helpers/chained/chain-states.ts'
import { files, idsOf, playChain, work } from '../../helpers/chained/play-chain.ts'

describe('a person who changes the state while the run is stopped', () => {
  const playChanged = (change: object, stages: StageScene[]) => {
    const checkpoint = async <State extends object>(state: State) => ({ ...state, ...change })
    const strategy = {
      ...chained,
      run: (context) => chained.run({ ...context, checkpoint }),
    } as typeof chained
    const options = { state: JSON.stringify(begun), stages: 'plan:build' }
    return play(strategy, options, [], { output: 'files', files, stages })
  }

  it('gives the next stage another plan', async () => {
    const played = await playChanged({ plan: 'Mine.' }, [
      good('plan', { plan: 'First.' }),
      good('build', {}, work),
    ])
    expect(JSON.parse(played.stages[1]?.program.state ?? '')).toMatchObject({ plan: 'Mine.' })
  })

  it.each([{ round: 'two' }, { workflow_id: 'other' }])(
    'ends the trial with words if it cannot be used: %j',
    async (change) => {
      await expect(playChanged(change, [good('plan')])).rejects.toThrow(
        /the state that a person set cannot be used: /,
      )
    },
  )
})

it('an agent that never answers is an error of the agent, and not of the method', async () => {
  const failedAsk = new AgentError('server', 'it is down')
  await expect(playChain([bad('plan', {}, { failedAsk, asks: 1 })])).rejects.toBe(failedAsk)
})

describe('the options of chained', () => {
  it.each([
    ['build:test', 'build test'],
    ['review:build', 'build review'],
    ['ship', ''],
  ])('stages=%s runs these alone, in the order of the chain', async (stages, ids) => {
    const scenes = ids
      .split(' ')
      .filter(Boolean)
      .map((id) => good(id, approved, id === 'build' ? work : {}))
    expect(idsOf(await playChain(scenes, { stages }))).toBe(ids)
  })

  it.each(['', 'deploy', 'plan:deploy', 'plan:plan', 'plan,build'])('stages=%j is refused', (stages) => {
    expect(chained.options.safeParse({ stages }).success).toBe(false)
  })

  it('only runs one stage on a state, and says what it came to', async () => {
    const state = JSON.stringify({ ...begun, round: 2, ...failedTests })
    const played = await playChain([bad('test', failedTests, work)], {
      only: 'test',
      state,
      start: { 'a.mjs': 'A' },
    })
    expect(played.result).toMatchObject({
      stopReason: 'halted',
      detail: 'stage test alone: the work is not good',
      state: { ends: [{ stage: 'test', round: 2, exit: 1 }], state: { stages: [{ stage: 'test' }] } },
    })
    const [{ program }] = played.stages as [(typeof played.stages)[number]]
    expect(program.files).toMatchObject({ 'start/a.mjs': 'A' })
    expect(program.files).not.toHaveProperty('start/sum.mjs')
    expect((await playChain([good('test')], { only: 'test' }, { files })).result.detail).toMatch(
      /stage test alone: good/,
    )
  })

  it('a state that is none is refused before the run', () => {
    const resolve = (state: string) => chained.resolve?.(chained.options.parse({ state }), undefined as never)
    expect(() => resolve('{')).toThrow('[option state] the state file holds no JSON')
    expect(() => resolve('{}')).toThrow('[option state] the state file is not valid: version: ')
    expect(() => resolve(JSON.stringify(begun))).not.toThrow()
  })
})
