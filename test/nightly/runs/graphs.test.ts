import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { checkSchedule } from '../../../src/loop/replay/compare-traces.ts'
import {
  agentThatTakes,
  agentThatWaits,
  graphStrategy,
  nobody,
  troubledSteps,
  troubledUpTo,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
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
