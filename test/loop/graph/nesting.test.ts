import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  agentThatWaits,
  asking,
  nobody,
  type TextStep,
  times,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** A small graph whose steps are named after a letter. */
const small = (letter: string): TextStep[] => [
  asking(`${letter}1`, []),
  asking(`${letter}2`, [`${letter}1`]),
  asking(`${letter}3`, []),
  asking(`${letter}4`, [`${letter}2`, `${letter}3`]),
]
const run = (letter: string) => async (context: AnyContext) => {
  const results = await context.graph(small(letter), { concurrency: 2 })
  return [...results.keys()].join()
}
const inside = (id: string, after: string[], work: (context: AnyContext) => Promise<string>): TextStep => ({
  ...asking(id, after),
  run: work,
})

/** Every way in which a graph stands beside or inside other effects. */
const ways: Record<string, (context: AnyContext) => Promise<unknown>> = {
  'two graphs one after another': async (context) => [await run('a')(context), await run('b')(context)],
  'a graph in a step of a graph': (context) =>
    context.graph([asking('x', []), inside('y', ['x'], run('a')), inside('z', [], run('b'))]),
  'graphs in branches': (context) =>
    Promise.all([context.branch('one', run('a')), context.branch('two', run('b'))]),
  'graphs in the branches of a first': (context) => context.first({ one: run('a'), two: run('b') }),
  'a first with graphs in a step': (context) =>
    context.graph([
      inside('x', [], async (step) => (await step.first({ one: run('a'), two: run('b') })).name),
      asking('y', ['x']),
    ]),
  'branches in a step': (context) =>
    context.graph([
      inside('x', [], async (step) =>
        (
          await Promise.all(
            ['b1', 'b2'].map((id) => step.branch(id, (branch) => branch.ask('solver', `do ${id}`))),
          )
        ).join(),
      ),
      asking('y', []),
    ]),
  'a checkpoint and an approval in a step': (context) =>
    context.graph([
      inside('x', [], async (step) => {
        const { seen } = await step.checkpoint({ seen: 'state' })
        const { decision } = await step.approve('Go on?')
        return `${seen} ${decision} ${await step.ask('solver', 'do x')}`
      }),
      asking('y', ['x']),
    ]),
}

const strategyFor = (way: string) =>
  strategyOf(async (context: AnyContext) => {
    await ways[way]?.(context)
    return { stopReason: 'done', answer: '42', state: { now: context.now() } }
  })

describe.each(Object.keys(ways))('%s', (way) => {
  const strategy = strategyFor(way)
  const timeOf = (times: readonly number[]) => (id: string) =>
    times[(id.charCodeAt(0) * 7 + Number(id[1] ?? 0)) % times.length] ?? 0

  it('replays as it ran, in live mode', async () => {
    const law = fc.asyncProperty(times, async (times) => {
      const live = await playTrial({ agent: agentThatWaits(timeOf(times)), strategy, mode: 'live' })
      expect(live.record.outcome.status).toBe('completed')
      const { folder } = live
      const replayed = await playTrial({ agent: nobody, strategy, mode: 'live', folder, replay: true })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(live))
    })
    await fc.assert(law, { numRuns: 4 })
  })

  it('is resumed after an interruption, and replays then', async () => {
    const law = fc.asyncProperty(fc.nat(7), times, async (stopAfter, times) => {
      const abort = new AbortController()
      const folder = tempFolder()
      const before: string[] = []
      const stopping = agentThatWaits((id) => {
        if (before.length > stopAfter) abort.abort()
        return timeOf(times)(id)
      }, before)
      const first = await playTrial({
        agent: stopping,
        strategy,
        mode: 'live',
        folder,
        signal: abort.signal,
      }).catch(() => undefined)
      if (first) return
      const resumed = await playTrial({
        agent: agentThatWaits(timeOf(times)),
        strategy,
        mode: 'live',
        folder,
      })
      expect(resumed.record.outcome.status).toBe('completed')
      expect(resumed.steps.some(({ kind }) => kind === 'void')).toBe(false)
      const replayed = await playTrial({ agent: nobody, strategy, mode: 'live', folder, replay: true })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(resumed))
    })
    await fc.assert(law, { numRuns: 6 })
  })
})
