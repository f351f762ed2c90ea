import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { checkSchedule } from '../../../src/loop/replay/compare-traces.ts'
import { expectSameAtAnyTimes } from '../../helpers/graph/dynamic-graphs.ts'
import {
  agentThatTakes,
  agentThatWaits,
  graphStrategy,
  nobody,
  type Played,
  promptsOf,
  shapesUpTo,
  stepsOf,
  troubledSteps,
  troubledUpTo,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
import { randomDocument, randomDocumentOf } from '../../helpers/graph/random-documents.ts'
import { playTrial } from '../../helpers/runs/trial.ts'

const most = 200
const numRuns = 25
const times = fc.array(fc.nat(50), { minLength: most, maxLength: most })
const timeOf = (times: readonly number[]) => (id: string) => times[Number(id.slice(1))] ?? 0
const expectRules = (folder: string, byClock: boolean) => {
  for (const { events } of [...readGraphTraces(folder, () => true).values()].flat())
    expect(checkSchedule(events, { byClock })).toEqual([])
}

describe('graphs of up to 200 steps', () => {
  it('give the same prompts at concurrency 1, 2, 4 and 16 and at any times of replies', async () => {
    const law = fc.asyncProperty(shapesUpTo(most), fc.infiniteStream(times), async (shape, shuffled) => {
      const texts = (played: Played) => promptsOf(played).map((text) => text.replace(/ \d+$/, ''))
      let first: string[] | undefined
      for (const concurrency of [1, 2, 4, 16]) {
        const { value = [] } = shuffled.next()
        const strategy = graphStrategy(stepsOf(shape), { concurrency })
        const played = await playTrial({ agent: agentThatTakes(timeOf(value)), strategy })
        first ??= texts(played)
        expect(texts(played)).toEqual(first)
        expectRules(played.folder, true)
      }
    })
    // 25 graphs at 4 concurrencies: 100 fresh runs.
    await fc.assert(law, { numRuns })
  })

  it.each(['dev', 'live'] as const)(
    'replay byte for byte with failures, timeouts and limits, in %s mode',
    async (mode) => {
      const law = fc.asyncProperty(
        troubledUpTo(most),
        times,
        fc.constantFrom(1, 2, 4, 16),
        fc.option(fc.nat(30), { nil: undefined }),
        fc.constantFrom('fail', 'last', 'merge'),
        async (troubled, times, concurrency, calls, conflict) => {
          const ms = (id: string) => timeOf(times)(id) / 10
          const strategy = graphStrategy(troubledSteps(troubled), { concurrency, conflict })
          const limits = calls === undefined ? {} : { calls }
          const agent = mode === 'dev' ? agentThatTakes(ms) : agentThatWaits(ms)
          const played = await playTrial({ agent, strategy, mode, limits })
          const { folder } = played
          expectRules(folder, mode === 'dev')
          for (let i = 0; i < 4; i++) {
            const replayed = await playTrial({ agent: nobody, strategy, mode, limits, folder, replay: true })
            expect(replayed.divergences).toEqual([])
            expect(withoutWall(replayed)).toEqual(withoutWall(played))
          }
        },
      )
      // 25 graphs, 4 replays each: 100 replays.
      await fc.assert(law, { numRuns })
    },
  )
})

it('documents of up to 200 steps, added ones included, come to the same steps, prompts and files at any times', async () => {
  expect(await expectSameAtAnyTimes(randomDocument, { numRuns: 15 })).toBeGreaterThan(50)
  expect(await expectSameAtAnyTimes(randomDocumentOf(32), { numRuns: 5 })).toBeGreaterThan(100)
})
