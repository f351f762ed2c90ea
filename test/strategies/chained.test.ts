import { describe, expect, it } from 'vitest'
import type { ChainState } from '../../src/schema/stage/chain-state.ts'
import type { StageScene } from '../../src/testing/play-stage.ts'
import { play } from '../../src/testing.ts'
import { AgentError } from '../../src/text/errors.ts'
import { chained } from '../../strategies/chained.ts'
import {
  approved,
  bad,
  begun,
  failedBuild,
  failedTests,
  good,
  revised,
} from '../helpers/chained/chain-states.ts'
import { idsOf, lastStages, playChain, shipped, work } from '../helpers/chained/play-chain.ts'

describe('chained walks through its stages', () => {
  it('in order, hands the state on, and keeps the note and the patch as outputs', async () => {
    const played = await playChain([
      good('plan', { plan: 'First.' }),
      good('build', { plan: 'First.', answer: 'Done.' }, work),
      good('test'),
      good('review', approved),
      ...lastStages,
    ])
    expect(idsOf(played)).toBe('plan build test review document ship')
    expect(played.result).toMatchObject({ stopReason: 'done', detail: 'all stages were good in round 1' })
    expect(played.files).toEqual({ 'sum.mjs': 'new\n' })
    expect(played.outputs).toEqual({ 'document.md': 'It adds.', 'change.patch': 'the patch' })
    expect(JSON.parse(played.stages[1]?.program.state ?? '')).toMatchObject({ plan: 'First.', round: 1 })
    expect(played.result.state?.ends).toHaveLength(6)
  })

  it('starts each program with its words, its roles, its tools and the files of the start', async () => {
    const { stages } = await playChain([
      good('plan'),
      good('build', {}, work),
      good('test'),
      good('review', approved),
      ...lastStages,
    ])
    const seen = stages.map(({ program }) => [program.command.join(' '), program.roles?.join() ?? 'all'])
    expect(seen).toMatchSnapshot()
    const tools = stages.map(({ program }) =>
      Object.keys(program.files ?? {}).filter((name) =>
        /^(build-checker|test-runner|test-gen|accept)/.test(name),
      ),
    )
    expect(tools).toEqual([[], ['build-checker.mjs'], ['test-generator.mjs', 'test-runner.mjs'], [], [], []])
    for (const { program } of stages) {
      expect(program.files).toMatchObject({
        'start/sum.mjs': 'old\n',
        'state.schema.json': expect.any(String),
        'bench.mjs': expect.any(String),
      })
      expect(program.timeoutMs).toBe(600_000)
    }
  })

  it('gives a workspace in TypeScript the program that lets an old Node run it', async () => {
    const ended = await playChain([good('test')], { only: 'test' }, { files: { 'a.test.ts': '' } })
    expect(Object.keys(ended.stages[0]?.program.files ?? {})).toContain('accept-typescript.mjs')
  })

  it('writes n/a for the stages that a task without files does not need, and starts none of them', async () => {
    const state = JSON.stringify({ ...begun, output: 'answer' })
    const answer = { output: 'answer' as const, answer: '42', ...approved }
    const played = await playChain(
      [good('plan', answer), good('build', answer), good('review', answer)],
      { state },
      { output: 'answer' },
    )
    expect(idsOf(played)).toBe('plan build review')
    expect(played.result).toMatchObject({ stopReason: 'done', answer: '42' })
    const { stages } = (played.result.state as { state: ChainState }).state
    expect(stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
      'review done',
      'document n/a',
      'ship n/a',
    ])
    expect(JSON.parse(played.stages[2]?.program.state ?? '').stages.at(-1)).toMatchObject({
      stage: 'test',
      status: 'n/a',
    })
  })

  it('begins with a state of its own: the task, and an id of a workflow that is the same each time', async () => {
    const states: ChainState[] = []
    for (const output of ['answer', 'files', 'files'] as const) {
      const played = await play(chained, { only: 'plan' }, [], {
        output,
        instruction: 'Add.',
        stages: [{ id: 'plan' }],
      })
      states.push(JSON.parse(played.stages[0]?.program.state ?? ''))
    }
    expect(states[0]).toMatchObject({
      version: 1,
      issue: 'task',
      task: 'Add.',
      output: 'answer',
      round: 1,
      stages: [],
    })
    expect(states[1]).toMatchObject({
      output: 'files',
      workflow_id: expect.stringMatching(/^task-[0-9a-f]{8}$/),
    })
    expect(states[2]).toEqual(states[1])
  })
})

describe('chained mends what is not good', () => {
  it('by another round, without the stages behind the one that failed', async () => {
    const played = await playChain([
      good('plan'),
      bad('build', failedBuild, work),
      good('build'),
      bad('test', failedTests),
      good('build'),
      good('test'),
      good('review', approved),
      ...lastStages,
    ])
    expect(idsOf(played)).toBe('plan build build test build test review document ship')
    expect(played.result).toMatchObject({ stopReason: 'done', detail: 'all stages were good in round 3' })
    const builds = played.stages.filter(({ id }) => id === 'build')
    expect(builds.map(({ program }) => JSON.parse(program.state).round)).toEqual([1, 2, 3])
  })

  it('with all stages in the last round, and ends as exhausted without a note and a patch', async () => {
    const played = await playChain(
      [good('plan'), bad('build', failedBuild, work), bad('test', failedTests), bad('review', revised)],
      { rounds: 1 },
    )
    expect(played.result).toMatchObject({
      stopReason: 'exhausted',
      detail: 'not good after 1 round, by build, test, review',
    })
    expect(played.outputs).toEqual({})
  })

  it('on the results of this round alone: old results of tests and reviews are not in the state', async () => {
    const old = { ...failedTests, ...revised }
    const played = await playChain([
      good('plan'),
      good('build', old, work),
      good('test', old),
      good('review', approved),
      ...lastStages,
    ])
    const given = played.stages.map(({ program }) => JSON.parse(program.state))
    expect(given[2]).not.toHaveProperty('test_results')
    expect(given[3]).not.toHaveProperty('review')
    expect(given[3]).toHaveProperty('test_results')
  })

  it('but hands in nothing, and asks for no note, if no file was changed', async () => {
    const played = await playChain([good('plan'), good('build'), good('test'), good('review', approved)])
    expect(played.result).toMatchObject({
      stopReason: 'halted',
      detail: 'nothing was handed in; all stages were good in round 1',
    })
  })
})

describe('a stage that breaks ends the chain as halted, with the work and the state before it', () => {
  const before = [good('plan', { plan: 'First.' }), good('build', { plan: 'First.' }, work)]
  const spoilt = { files: { 'sum.mjs': 'spoilt\n' } }
  it.each<[string, Partial<StageScene>, RegExp]>([
    ['it is ended from outside', { exitCode: null, reason: 'was ended by SIGKILL' }, /was ended by SIGKILL/],
    ['it reaches its time limit', { exitCode: null, reason: 'timed out' }, /timed out/],
    ['its state file is missing', { state: undefined }, /the state file is missing, no text or too large/],
    ['its state file is no JSON', { state: '{"version":' }, /the state file holds no JSON/],
    ['its state file is another JSON', { state: '{"a":1}' }, /the state file is not valid: version: /],
    [
      'its state file has a field too much',
      { state: JSON.stringify({ ...begun, more: 1 }) },
      /not valid: .*more/,
    ],
    [
      'its state file is of another workflow',
      { state: JSON.stringify({ ...begun, workflow_id: 'w-2' }) },
      /of the workflow w-2, not of w-1/,
    ],
  ])('%s', async (_, end, detail) => {
    const played = await playChain([...before, { id: 'test', ...spoilt, ...end }])
    expect(played.result.stopReason).toBe('halted')
    expect(played.result.detail).toMatch(/^stage test: /)
    expect(played.result.detail).toMatch(detail)
    expect(played.files).toEqual({ 'sum.mjs': 'new\n' })
    const { state, ends } = played.result.state as { state: ChainState; ends: { broken?: string }[] }
    expect(state.plan).toBe('First.')
    expect(ends.at(-1)?.broken).toMatch(detail)
  })

  it.each<[string, StageScene]>([
    ['1 without a result', bad('test')],
    ['1 with a result that is good', bad('test', approved)],
    ['1 without a word in the state', { id: 'test', exitCode: 1, output: 'first\nTypeError: no\n' }],
    ['7', { id: 'test', exitCode: 7 }],
  ])('it ends with %s', async (_, scene) => {
    const played = await playChain([...before, scene])
    expect(played.result.stopReason).toBe('halted')
    expect(played.result.detail).toMatch(/^stage test: (test!|TypeError: no|it ended with 7)$/)
  })

  it('its agent fails in a later round, although the results of the round before are bad', async () => {
    const failedAsk = new AgentError('timeout', 'too slow')
    const played = await playChain([
      good('plan', {}, { asks: 1 }),
      bad('build', failedBuild, { ...work, asks: 1 }),
      bad('build', failedBuild, { failedAsk, asks: 1 }),
    ])
    expect(played.result).toMatchObject({ stopReason: 'halted', detail: 'stage build: build!' })
  })

  it('ship commits other files than those that are handed in', async () => {
    const chain = [...before, good('test'), good('review', approved), good('document')]
    const played = await playChain([...chain, good('ship', shipped('0'.repeat(40)))])
    expect(played.result.detail).toMatch(
      /^stage ship: it shipped the tree 0{40}, but the files are the tree [0-9a-f]{40}$/,
    )
  })

  it('ship says that it is good, and ships nothing', async () => {
    const chain = [...before, good('test'), good('review', approved), good('document')]
    expect((await playChain([...chain, good('ship')])).result.detail).toBe('stage ship: it shipped nothing')
  })
})
