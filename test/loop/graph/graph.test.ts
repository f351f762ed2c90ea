import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AgentError } from '../../../src/text/errors.ts'
import {
  agentThatTakes,
  agentThatWaits,
  asking,
  graphStrategy,
  nobody,
  orderOf,
  type Played,
  promptsOf,
  shapes,
  stepsOf,
  type TextStep,
  times,
  withoutWall,
} from '../../helpers/graph/graphs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'

const diamond = [asking('a', []), asking('b', ['a']), asking('c', ['a']), asking('d', ['b', 'c'])]

describe('graph()', () => {
  it('runs a step when all that it depends on has ended, and gives it their results', async () => {
    const { record, steps } = await playTrial({
      agent: agentThatTakes(() => 1000),
      strategy: graphStrategy(diamond),
    })
    expect(record.outcome.status).toBe('completed')
    const asks = steps.flatMap((step) => (step.kind === 'ask' ? [step] : []))
    expect(asks.map(({ key, at }) => `${key} ${at}`)).toEqual([
      'graph/a#0 0',
      'graph/b#0 1000',
      'graph/c#0 1000',
      'graph/d#0 2000',
    ])
    expect(asks.at(-1)?.prompt).toContain('b=said b; c=said c')
    expect(record.state).toEqual({ results: ['a done', 'b done', 'c done', 'd done'], now: 3000 })
    expect(record.spent.calls).toBe(4)
  })

  it('runs at most as many steps as its concurrency, the smallest id first', async () => {
    const steps = ['z', 'y', 'x', 'w'].map((id) => asking(id, []))
    const { steps: lines } = await playTrial({
      agent: agentThatTakes((id) => ({ w: 3000, x: 1000 })[id] ?? 500),
      strategy: graphStrategy(steps, { concurrency: 2 }),
    })
    const asks = lines.flatMap((step) => (step.kind === 'ask' ? [`${step.key} ${step.at}`] : []))
    expect(asks.sort()).toEqual(['graph/w#0 0', 'graph/x#0 0', 'graph/y#0 1000', 'graph/z#0 1500'])
    const order = lines.flatMap((step) => (step.kind === 'graph' ? [`${step.key} ${step.step}`] : []))
    expect(order).toEqual(['graph#0 x', 'graph#1 y', 'graph#2 z', 'graph#3 w'])
  })

  it('joins what a step depends on, each once, and no sibling', async () => {
    const writing = (id: string, after: readonly string[]): TextStep => ({
      id,
      after,
      async run({ workspace, ask }) {
        await ask('judge', `do ${id}`)
        workspace.apply([{ path: `${id}.txt`, content: id }])
        return workspace.list().join(',')
      },
    })
    const seen = new Map<string, string>()
    const strategy = strategyOf(async (context: AnyContext) => {
      const results = await context.graph(
        [
          writing('a', []),
          writing('b', ['a']),
          writing('c', ['a']),
          writing('d', ['b']),
          writing('e', ['c', 'd']),
        ],
        { concurrency: 4 },
      )
      for (const [id, result] of results)
        seen.set(id, result.status === 'done' ? String(result.value) : result.status)
      return { stopReason: 'done', answer: context.workspace.list().join(',') }
    })
    const { record } = await playTrial({ agent: agentThatTakes(() => 10), strategy })
    expect(Object.fromEntries(seen)).toEqual({
      a: 'a.txt',
      b: 'a.txt,b.txt',
      c: 'a.txt,c.txt',
      d: 'a.txt,b.txt,d.txt',
      e: 'a.txt,b.txt,c.txt,d.txt,e.txt',
    })
    expect(record.answer).toBe('a.txt,b.txt,c.txt,d.txt,e.txt')
    expect(record.spent.calls).toBe(5)
  })

  it.each([
    ['fail', 'steps "b" and "c" both changed x.txt'],
    ['last', 'C'],
    ['merge', 'their changes overlap'],
  ] as const)('with conflict %s two steps that changed one file end as stated', async (conflict, words) => {
    const writing = (id: string, content: string): TextStep => ({
      id,
      after: [],
      async run({ workspace, ask }) {
        await ask('judge', `do ${id}`)
        workspace.apply([{ path: 'x.txt', content }])
        return id
      },
    })
    const strategy = strategyOf(async (context: AnyContext) => {
      await context.graph([writing('b', 'B'), writing('c', 'C')], { conflict })
      return { stopReason: 'done', answer: context.workspace.read('x.txt') ?? '' }
    })
    const { record } = await playTrial({ agent: agentThatTakes((id) => (id === 'b' ? 500 : 10)), strategy })
    expect(conflict === 'last' ? record.answer : record.outcome.reason).toContain(words)
  })

  it('merges changes of different lines of one file', async () => {
    const files = { 'x.txt': 'one\ntwo\nthree\nfour\nfive\n' }
    const replacing = (id: string, from: string, to: string): TextStep => ({
      id,
      after: [],
      async run({ workspace, ask }) {
        await ask('judge', `do ${id}`)
        workspace.apply([{ path: 'x.txt', content: (workspace.read('x.txt') ?? '').replace(from, to) }])
        return id
      },
    })
    const strategy = strategyOf(async (context: AnyContext) => {
      await context.graph([replacing('b', 'one', '1'), replacing('c', 'five', '5')], { conflict: 'merge' })
      return { stopReason: 'done', answer: context.workspace.read('x.txt') ?? '' }
    })
    const { record } = await playTrial({
      agent: agentThatTakes(() => 10),
      strategy,
      task: answerTask({}, files),
    })
    expect(record.answer).toBe('1\ntwo\nthree\nfour\n5\n')
  })

  const failing = (onFailure: NonNullable<TextStep['onFailure']>): TextStep => ({
    ...asking('b', ['a'], { onFailure }),
    run: async () => {
      throw new AgentError('empty', 'nothing came')
    },
  })
  const [a, , c, d] = diamond as [TextStep, TextStep, TextStep, TextStep]

  it('skips what depends on a failed step, where that says skip', async () => {
    const { record } = await playTrial({
      agent: agentThatTakes(() => 10),
      strategy: graphStrategy([a, failing('skip'), c, d]),
    })
    expect(record.state).toMatchObject({
      results: expect.arrayContaining(['b failed', 'c done', 'd skipped']),
    })
  })

  it('runs what depends on a failed step, where that says continue', async () => {
    const { record, steps } = await playTrial({
      agent: agentThatTakes(() => 10),
      strategy: graphStrategy([a, failing('continue'), c, d]),
    })
    expect(record.outcome.status).toBe('completed')
    expect(steps.flatMap((step) => (step.kind === 'ask' ? [step.prompt] : [])).at(-1)).toContain(
      'b=failed; c=said c',
    )
  })

  it('begins no further step after a failure that says fail, and throws it', async () => {
    const { record, steps } = await playTrial({
      agent: agentThatTakes(() => 10),
      strategy: graphStrategy([a, failing('fail'), c, d]),
    })
    expect(record.outcome).toMatchObject({ status: 'failed', reason: expect.stringContaining('empty') })
    expect(steps.some((step) => step.key.startsWith('graph/d'))).toBe(false)
  })

  it('adds the steps that a step asks for, and lets others wait for them', async () => {
    const planner = asking('plan', [], {
      expand: () => ({ steps: ['w2', 'w1'].map((id) => asking(id, ['plan'])), before: ['sum'] }),
    })
    const { record, steps } = await playTrial({
      agent: agentThatTakes(() => 10),
      strategy: graphStrategy([planner, asking('sum', ['plan'])]),
    })
    expect(record.state).toMatchObject({ now: 30 })
    expect(steps.flatMap((step) => (step.kind === 'ask' ? [step.prompt] : [])).at(-1)).toContain(
      'plan=said plan; w2=said w2; w1=said w1',
    )
  })
})

describe('a step that waits for added steps', () => {
  it('may have been skipped already', async () => {
    const planner = asking('plan', [], {
      expand: () => ({ steps: [asking('w', ['plan'])], before: ['sum', 'end'] }),
    })
    const failing = asking('fails', [], {
      onFailure: 'skip',
      async run({ ask }) {
        await ask('solver', 'do fails')
        throw new AgentError('empty', 'nothing came')
      },
    })
    const steps = [failing, planner, asking('sum', ['fails', 'plan']), asking('end', ['sum'])]
    for (const ms of [1, 20]) {
      const agent = agentThatTakes((id) => (id === 'fails' ? ms : 10))
      const { record } = await playTrial({ agent, strategy: graphStrategy(steps) })
      expect(record.outcome.reason).toBe('')
      expect(record.state?.results).toEqual([
        ...['fails failed', 'plan done', 'w done', 'sum skipped', 'end skipped'],
      ])
    }
  })
})

describe('the results of a graph', () => {
  it('are in plan order, for the method and for each step, whatever ended first', async () => {
    const adding = (id: string, added: string) =>
      asking(id, [], { expand: () => ({ steps: [asking(added, [id])], before: ['end'] }) })
    const steps = [adding('p', 'x'), adding('q', 'y'), asking('end', ['q', 'p'])]
    for (const first of ['p', 'q']) {
      const agent = agentThatTakes((id) => (id === first ? 1 : 100))
      const { record, steps: lines } = await playTrial({ agent, strategy: graphStrategy(steps) })
      expect(record.state?.results).toEqual(['p done', 'x done', 'q done', 'y done', 'end done'])
      expect(lines.findLast((line) => line.kind === 'ask')).toMatchObject({
        prompt: expect.stringContaining('p=said p; x=said x; q=said q; y=said y'),
      })
    }
  })
})

describe('a graph of any shape', () => {
  it('gives the same prompts at any concurrency and at any times of replies', async () => {
    const law = fc.asyncProperty(
      shapes,
      fc.integer({ min: 1, max: 5 }),
      times,
      async (shape, concurrency, times) => {
        const timeOf = (id: string) => times[Number(id.slice(1))] ?? 0
        const play = (concurrency: number, ms: (id: string) => number) =>
          playTrial({ agent: agentThatTakes(ms), strategy: graphStrategy(stepsOf(shape), { concurrency }) })
        const texts = (played: Played) => promptsOf(played).map((text) => text.replace(/ \d+$/, ''))
        const [one, same, other] = [
          await play(concurrency, timeOf),
          await play(concurrency, timeOf),
          await play(16, () => 7),
        ]
        expect(same.steps).toEqual(one.steps)
        expect(texts(one)).toEqual(texts(other))
      },
    )
    await fc.assert(law, { numRuns: 20 })
  })

  it('begins no step before those that it depends on have ended, and never more than its concurrency', async () => {
    const law = fc.asyncProperty(
      shapes,
      fc.integer({ min: 1, max: 4 }),
      times,
      async (shape, concurrency, times) => {
        const { steps } = await playTrial({
          agent: agentThatTakes((id) => times[Number(id.slice(1))] ?? 0),
          strategy: graphStrategy(stepsOf(shape), { concurrency }),
        })
        const spans = new Map(
          steps.flatMap((step) =>
            step.kind === 'ask'
              ? [[step.key.slice(6, 10), [step.at, step.at + step.durationMs] as const]]
              : [],
          ),
        )
        for (const { id, after } of shape)
          for (const need of after)
            expect(spans.get(id)?.[0]).toBeGreaterThanOrEqual(spans.get(need)?.[1] ?? 0)
        for (const [at] of spans.values())
          expect(
            [...spans.values()].filter(([from, to]) => from <= at && at < to).length,
          ).toBeLessThanOrEqual(concurrency)
      },
    )
    await fc.assert(law, { numRuns: 20 })
  })

  it('replays a live trial in the order in which its steps really ended', async () => {
    const law = fc.asyncProperty(shapes, times, async (shape, times) => {
      const strategy = graphStrategy(stepsOf(shape), { concurrency: 3 })
      const agent = agentThatWaits((id) => times[Number(id.slice(1))] ?? 0)
      const live = await playTrial({ agent, strategy, mode: 'live' })
      const { folder } = live
      const replayed = await playTrial({ agent: nobody, strategy, mode: 'live', folder, replay: true })
      expect(orderOf(live)).toHaveLength(shape.length)
      expect(withoutWall(replayed)).toEqual(withoutWall(live))
    })
    await fc.assert(law, { numRuns: 20 })
  })

  it('resumes an interrupted trial, asks no answered step again, and replays', async () => {
    const law = fc.asyncProperty(shapes, fc.nat(10), times, async (shape, stopAfter, times) => {
      const timeOf = (id: string) => times[Number(id.slice(1))] ?? 0
      const strategy = graphStrategy(stepsOf(shape), { concurrency: 3 })
      const abort = new AbortController()
      const folder = tempFolder()
      const before: string[] = []
      const stopping = agentThatWaits((id) => {
        if (before.length > stopAfter) abort.abort()
        return timeOf(id)
      }, before)
      await playTrial({ agent: stopping, strategy, mode: 'live', folder, signal: abort.signal }).catch(
        () => {},
      )
      const after: string[] = []
      const resumed = await playTrial({
        agent: agentThatWaits(timeOf, after),
        strategy,
        mode: 'live',
        folder,
      })
      expect(resumed.record.outcome.status).toBe('completed')
      expect(resumed.steps.some(({ kind }) => kind === 'void')).toBe(false)
      expect(new Set(orderOf(resumed)).size).toBe(shape.length)
      const replayed = await playTrial({
        agent: nobody,
        strategy,
        mode: 'live',
        folder,
        replay: true,
      })
      expect(withoutWall(replayed)).toEqual(withoutWall(resumed))
    })
    await fc.assert(law, { numRuns: 20 })
  })
})
