import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readGraphTraces } from '../../../src/loop/record/workflow-events.ts'
import { collectGraphEvents } from '../../../src/loop/replay/compare-traces.ts'
import type { Limits } from '../../../src/schema/limits.ts'
import {
  agentThatTakes,
  agentThatWaits,
  asking,
  graphStrategy,
  nobody,
  type Played,
  type TextStep,
  times,
  troubledSteps,
  troubledUpTo,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
import { type AnyContext, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

/** A step that asks several times and writes a file after each reply. */
const writing = (id: string, after: readonly string[], asks = 1): TextStep => ({
  ...asking(id, after),
  async run({ ask, workspace }) {
    for (let i = 0; i < asks; i++) {
      await ask('solver', `do ${id}`)
      workspace.apply([{ path: `${id}.txt`, content: `${i + 1}` }])
    }
    return id
  },
})

/** Hands in the names of the files that are there when the graph has ended. */
const handingIn = (steps: readonly TextStep[]) =>
  strategyOf(async (context: AnyContext) => {
    await context.graph(steps, { concurrency: 3 }).catch(() => {})
    return { stopReason: 'done', answer: context.workspace.list().join(' ') }
  })

const statusOf = ({ record }: Played) => `${record.outcome.status} ${record.outcome.reason.split(':')[0]}`

/** b is refused at its third ask: by calls, by tokens or by time. */
const limits: [name: string, limits: Limits][] = [
  ['calls', { calls: 3 }],
  ['tokens', { tokens: 330 }],
  ['timeMs', { timeMs: 350 }],
]

describe.each(['dev', 'live'] as const)('a limit of the trial in a graph, in %s mode', (mode) => {
  const ms = () => 100
  const agent = mode === 'dev' ? agentThatTakes(ms) : agentThatWaits(ms)

  it.each(limits)(
    '%s: freezes its step, skips those behind it, and lets the rest go on',
    async (name, limits) => {
      const steps = [
        writing('a', []),
        writing('b', ['a'], 5),
        writing('c', ['b']),
        writing('d', ['a']),
        writing('e', ['d']),
      ]
      const strategy = handingIn(steps)
      const played = await playTrial({ agent, strategy, mode, limits })
      expect(statusOf(played)).toBe(`limited ${name}`)
      // What is handed in is made of the steps before b in plan order.
      expect(played.record.answer).toBe('a.txt')
      const asked = played.steps.flatMap((step) => (step.kind === 'ask' ? [step.key.split('#')[0]] : []))
      expect(asked).toContain('graph/e')
      expect(asked).not.toContain('graph/c')
      const { folder } = played
      const replayed = await playTrial({ agent: nobody, strategy, mode, limits, folder, replay: true })
      expect(replayed.divergences).toEqual([])
      expect(withoutWall(replayed)).toEqual(withoutWall(played))
    },
  )
})

describe('the refusal that a graph takes', () => {
  const handedIn = async (ms: (id: string) => number) => {
    const strategy = handingIn([writing('a', []), writing('z', [], 3), writing('b', [], 3)])
    const { record } = await playTrial({ agent: agentThatTakes(ms), strategy, limits: { calls: 1 } })
    return record.answer
  }

  it('is the first on the clock', async () => {
    expect(await handedIn((id) => (id === 'z' ? 200 : 100))).toBe('a.txt z.txt')
  })

  it('is the first in the plan of those at the same time', async () => {
    expect(await handedIn(() => 100)).toBe('a.txt')
  })
})

describe('a failure in a graph', () => {
  const failing = (id: string, after: readonly string[], onFailure?: TextStep['onFailure']) =>
    ({
      ...troubledSteps({
        shape: [{ id, after }],
        fates: ['fails'],
        reactions: [onFailure ?? 'fail'],
        files: [9],
      })[0],
    }) as TextStep

  it('lets the steps beside it end, begins no other, and hands in what is before it in plan order', async () => {
    const steps = [
      writing('a', []),
      failing('b', []),
      writing('c', [], 3),
      writing('d', ['a'], 2),
      writing('e', ['d']),
    ]
    const played = await playTrial({ agent: agentThatTakes(() => 100), strategy: handingIn(steps) })
    const asks = played.steps.flatMap((step) => (step.kind === 'ask' ? [step.key] : []))
    expect(asks.filter((key) => key.startsWith('graph/c'))).toHaveLength(3)
    expect(asks.some((key) => key.startsWith('graph/e'))).toBe(false)
    expect(played.record.answer).toBe('a.txt')
  })

  it('hands in nothing of a step that failed second, but is earlier in the plan', async () => {
    const steps = [writing('a', []), failing('b', []), writing('c', []), failing('d', [])]
    const played = await playTrial({
      agent: agentThatTakes((id) => (id === 'a' || id === 'd' ? 10 : 100)),
      strategy: handingIn(steps),
    })
    expect(played.record.outcome.status).toBe('completed')
    expect(played.record.answer).toBe('a.txt')
  })

  it('stops at an error that is no failure of an agent, whatever the step says', async () => {
    const broken: TextStep = {
      ...asking('b', [], { onFailure: 'continue' }),
      run: async () => {
        throw new TypeError('no such thing')
      },
    }
    const { record, steps } = await playTrial({
      agent: agentThatTakes(() => 100),
      strategy: graphStrategy([broken, writing('c', []), writing('d', ['c'])]),
    })
    expect(record.outcome).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('no such thing'),
    })
    expect(steps.some(({ key }) => key.startsWith('graph/d'))).toBe(false)
  })

  it('fails the step behind two that changed one file, and that step may say skip', async () => {
    const steps = [
      writingX('a'),
      writingX('b'),
      { ...writing('c', ['a', 'b']), onFailure: 'skip' as const },
      writing('d', ['c']),
    ]
    const played = await playTrial({ agent: agentThatTakes(() => 100), strategy: graphStrategy(steps) })
    expect(played.record.outcome.reason).toContain('"a" and "b" both changed x.txt')
    expect(played.steps.some(({ key }) => /graph\/[cd]#/.test(key))).toBe(false)
  })

  const writingX = (id: string): TextStep => ({
    ...asking(id, []),
    async run({ ask, workspace }) {
      await ask('solver', `do ${id}`)
      workspace.apply([{ path: 'x.txt', content: id }])
      return id
    },
  })

  it('replays with failures, timeouts and limits byte for byte, its trace included', async () => {
    const law = fc.asyncProperty(
      troubledUpTo(15),
      times,
      fc.constantFrom('dev', 'live'),
      fc.option(fc.nat(5), { nil: undefined }),
      fc.constantFrom('fail', 'last', 'merge'),
      async (troubled, times, mode, calls, conflict) => {
        const timeOf = (id: string) => times[Number(id.slice(1))] ?? 0
        const strategy = graphStrategy(troubledSteps(troubled), { concurrency: 3, conflict })
        const limits = calls === undefined ? {} : { calls }
        const agent = mode === 'dev' ? agentThatTakes(timeOf) : agentThatWaits(timeOf)
        const played = await playTrial({ agent, strategy, mode, limits })
        const { folder } = played
        const [traces = []] = readGraphTraces(folder, () => true).values()
        for (let i = 0; i < 2; i++) {
          const { event, take } = collectGraphEvents()
          const replay = { agent: nobody, strategy, mode, limits, folder, replay: true, event }
          const replayed = await playTrial(replay)
          expect(replayed.divergences).toEqual([])
          expect(withoutWall(replayed)).toEqual(withoutWall(played))
          expect([...take()]).toEqual(traces.map(({ path, events }) => [path, events]))
        }
      },
    )
    await fc.assert(law, { numRuns: 25 })
  })
})
