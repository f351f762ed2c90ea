import { describe, expect, it } from 'vitest'
import { play, type Run } from '../../helpers/runs/play-outputs.ts'
import { agentOf } from '../../helpers/runs/trial.ts'

describe('spent()', () => {
  it('holds what a branch has spent, with that of its parent before it and of branches that ended in it', async () => {
    const seen: unknown[] = []
    const run: Run = async ({ ask, branch, spent }) => {
      seen.push(spent())
      await ask('judge', 'one')
      await Promise.all([
        branch('a', async (a) => {
          await a.ask('judge', 'two')
          seen.push(a.spent())
        }),
        branch('b', async (b) => {
          for (let i = 0; i < 4; i++) await b.ask('judge', `${i}`)
          seen.push(b.spent())
        }),
      ])
      seen.push(spent())
    }
    const { folder } = await play(run)
    const sum = (calls: number, costUsd: number) => ({
      calls,
      input: calls * 100,
      output: calls * 10,
      costUsd,
      reported: { input: calls * 100, output: calls * 10, costUsd },
      unreported: { input: 0, output: 0, costUsd: 0 },
    })
    const expected = [sum(0, 0), sum(2, 0.02), sum(5, 0.05), sum(6, 0.06)]
    expect(seen.splice(0)).toEqual(expected)
    await play(run, { folder, replay: true })
    expect(seen).toEqual(expected)
  })

  it('is null for each part that a call did not report', async () => {
    const seen: unknown[] = []
    const replies = [
      { tokens: { input: 1, output: null, cached: null }, costUsd: 1 },
      { tokens: { input: null, output: 1, cached: null }, costUsd: null },
    ]
    const unreporting = agentOf(() => ({ text: 'a', ...replies.shift() }))
    await play(
      async ({ ask, branch, spent }) => {
        await branch('a', (a) => a.ask('judge', 'one'))
        seen.push(spent())
        await ask('judge', 'two')
        seen.push(spent())
      },
      { agent: unreporting },
    )
    expect(seen).toEqual([
      {
        ...{ calls: 1, input: 1, output: null, costUsd: 1 },
        reported: { input: 1, output: 0, costUsd: 1 },
        unreported: { input: 0, output: 1, costUsd: 0 },
      },
      {
        ...{ calls: 2, input: null, output: null, costUsd: null },
        reported: { input: 1, output: 1, costUsd: 1 },
        unreported: { input: 1, output: 1, costUsd: 1 },
      },
    ])
  })
})
