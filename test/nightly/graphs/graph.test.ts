import { rmSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectSameAtAnyTimes } from '../../helpers/graph/dynamic-graphs.ts'
import { randomDocument, randomDocumentOf } from '../../helpers/graph/random-documents.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { agentOf, playTrial, type Setting } from '../../helpers/runs/trial.ts'
import {
  agentOfGraph,
  graphMethod,
  orderOf,
  type Played,
  promptsOf,
  type RandomGraph,
  randomGraphs,
  spansOf,
  withoutWall,
} from './graph-scenario.ts'

const most = 200
// Other graphs each night; a failure prints the seed.
const seed = Date.now() % 2 ** 31
const times = fc.array(fc.nat(50), { minLength: most, maxLength: most })
const concurrency = fc.integer({ min: 1, max: 16 })
const policies = ['fail', 'skip', 'continue'] as const

/** Answers nothing: a replay must not ask. */
const nobody = agentOf(() => 'never')

/** Plays a graph in a folder that the caller removes: thousands would fill a disk. */
const play = (graph: RandomGraph, most: number, more: Partial<Setting> = {}) =>
  playTrial({ agent: agentOfGraph(graph), strategy: graphMethod(graph.shape, most), ...more })

const remove = (...all: readonly Played[]) => {
  for (const { folder } of all) rmSync(folder, { recursive: true, force: true })
}

function mostAtOnce(spans: Iterable<{ from: number; to: number }>): number {
  // At one moment, steps end before others begin; a step that takes no time is beside none.
  const changes = [...spans].flatMap(({ from, to }) =>
    from < to
      ? [
          { at: from, by: 1 },
          { at: to, by: -1 },
        ]
      : [],
  )
  let now = 0
  let peak = 0
  for (const { by } of changes.sort((a, b) => a.at - b.at || a.by - b.by)) {
    now += by
    peak = Math.max(peak, now)
  }
  return peak
}

describe(`graphs of up to ${most} steps`, { timeout: 1_800_000 }, () => {
  it('give the same prompts, results and files at concurrency 1, 2, 4 and 16, with other reply times', async () => {
    const law = fc.asyncProperty(randomGraphs(most, ['skip', 'continue']), times, async (graph, others) => {
      const one = await play(graph, 1)
      expect(one.record.outcome.status).toBe('completed')
      for (const concurrency of [2, 4, 16]) {
        const other = await play({ ...graph, times: others.toSpliced(0, concurrency) }, concurrency)
        expect(promptsOf(other)).toEqual(promptsOf(one))
        expect(other.record.state).toEqual(one.record.state)
        remove(other)
      }
      remove(one)
    })
    await fc.assert(law, { numRuns: 300, seed })
  })

  it('that patterns add at run time are the same, with their prompts and files, at any times of replies', async () => {
    await expectSameAtAnyTimes(randomDocument, { numRuns: 300, seed })
    expect(await expectSameAtAnyTimes(randomDocumentOf(32), { numRuns: 60, seed })).toBeGreaterThan(most)
  })

  it('begin no step before those that it depends on, run no more than allowed at once, and replay', async () => {
    const law = fc.asyncProperty(randomGraphs(most, policies), concurrency, async (graph, concurrency) => {
      const played = await play(graph, concurrency)
      const spans = spansOf(played)
      for (const { id, after } of graph.shape)
        for (const need of after)
          expect(spans.get(id)?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(
            spans.get(need)?.to ?? 0,
          )
      expect(mostAtOnce(spans.values())).toBeLessThanOrEqual(concurrency)
      const again = await play(graph, concurrency)
      expect(again.steps).toEqual(played.steps)
      const replayed = await play(graph, concurrency, { agent: nobody, folder: played.folder, replay: true })
      expect(withoutWall(replayed)).toEqual(withoutWall(played))
      remove(played, again)
    })
    await fc.assert(law, { numRuns: 1000, seed })
  })

  it('replay a live trial in the order in which its steps really ended', async () => {
    const law = fc.asyncProperty(randomGraphs(most, policies), concurrency, async (graph, concurrency) => {
      const live = await play(graph, concurrency, { mode: 'live', agent: agentOfGraph(graph, 'waits') })
      const replay = { mode: 'live', agent: nobody, folder: live.folder, replay: true } as const
      const replayed = await play(graph, concurrency, replay)
      expect(withoutWall(replayed)).toEqual(withoutWall(live))
      expect(new Set(orderOf(live)).size).toBe(orderOf(live).length)
      remove(live)
    })
    await fc.assert(law, { numRuns: 200, seed })
  })

  it('resume a live trial that was interrupted, ask no answered step again, and replay', async () => {
    const law = fc.asyncProperty(
      randomGraphs(most, ['skip', 'continue']),
      concurrency,
      fc.nat(most),
      async (graph, concurrency, stopAfter) => {
        const abort = new AbortController()
        const folder = tempFolder()
        const before: string[] = []
        const agent = agentOfGraph(graph, 'waits', (id) => {
          before.push(id)
          if (before.length > stopAfter) abort.abort()
        })
        await play(graph, concurrency, { mode: 'live', folder, agent, signal: abort.signal }).catch(() => {})
        const resumed = await play(graph, concurrency, {
          mode: 'live',
          folder,
          agent: agentOfGraph(graph, 'waits'),
        })
        expect(resumed.record.outcome.status).toBe('completed')
        expect(resumed.steps.some(({ kind }) => kind === 'void')).toBe(false)
        expect(new Set(orderOf(resumed)).size).toBe(orderOf(resumed).length)
        const replay = { mode: 'live', agent: nobody, folder, replay: true } as const
        expect(withoutWall(await play(graph, concurrency, replay))).toEqual(withoutWall(resumed))
        remove(resumed)
      },
    )
    await fc.assert(law, { numRuns: 200, seed })
  })
})
