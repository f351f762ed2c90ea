import { describe, expect, it } from 'vitest'
import { play, type Run, write } from '../../helpers/runs/play-outputs.ts'
import type { AnyContext } from '../../helpers/runs/trial.ts'

describe('outputs of branches', () => {
  it('are seen in the branch and under it at once, and outside when the branches have ended', async () => {
    const seen: unknown[] = []
    const { written } = await play(async ({ branch, outputs }) => {
      outputs.write('root.md', 'root')
      await Promise.all([
        branch('a', async (a) => {
          a.outputs.write('a.md', 'a')
          await a.branch('inner', async (inner) => {
            seen.push(inner.outputs.list())
            inner.outputs.write('inner.md', 'inner')
          })
          seen.push(a.outputs.list())
          await a.ask('judge', 'slow')
        }),
        branch('b', async (b) => {
          for (let i = 0; i < 3; i++) await b.ask('judge', `${i}`)
          seen.push(b.outputs.list(), outputs.list())
        }),
      ])
      seen.push(outputs.list())
      await branch('c', async (c) => seen.push(c.outputs.list()))
    })
    const all = ['a.md', 'inner.md', 'root.md']
    expect(seen).toEqual([['a.md', 'root.md'], all, ['root.md'], ['root.md'], all, all])
    expect(Object.keys(written)).toEqual(all)
  })

  it('may not have one path: the branch that was opened later fails, whoever wrote first', async () => {
    const seen: string[] = []
    const race = (slow: string) => (context: AnyContext) =>
      Promise.all(
        ['a', 'b'].map((name) =>
          context
            .branch(name, async (inner) => {
              if (name === slow) await inner.ask('judge', name)
              inner.outputs.write('same.md', name)
              inner.outputs.write(`${name}.md`, name)
              await inner.ask('judge', 'after')
            })
            .catch((error: Error) => seen.push(error.message)),
        ),
      )
    const { folder, written, record } = await play(race('a'))
    expect(written).toEqual({ 'same.md': 'a', 'a.md': 'a', 'b.md': 'b' })
    expect(seen[0]).toMatch(/the branches "a" and "b" were open together, and both wrote the output same\.md/)
    const replayed = await play(race('a'), { folder, replay: true })
    expect(replayed.divergences).toEqual([])
    expect(replayed.record.outcome).toEqual(record.outcome)
    expect((await play(race('b'))).written).toEqual(written)
    expect(new Set(seen).size).toBe(1)
    const uncaught = await play(({ branch }) =>
      Promise.all(['x', 'y/z'].map((name) => branch(name, write('Same')))).then(() =>
        branch('n', write('same')),
      ),
    )
    expect(uncaught.record.outcome.reason).toContain('both wrote the output Same')
  })

  it.each([
    ['a', 'a/b'],
    ['a.md', 'A.md'],
  ])('may not clash: %j beside %j', async (first, second) => {
    const { record, written } = await play(({ branch }) =>
      Promise.all([branch('one', write(first)), branch('two', write(second))]),
    )
    expect(record.outcome.reason).toContain(
      `the branches "one" and "two" were open together, and both wrote outputs that cannot stand side by side: ${first} and ${second}`,
    )
    expect(Object.keys(written)).toEqual([first])
  })

  it('may have one path one after the other', async () => {
    const { written } = await play(async ({ branch, outputs }) => {
      await branch('a', write('x', '1'))
      await branch('b', write('x', '2'))
      outputs.write('x', `${outputs.read('x')}3`)
    })
    expect(written).toEqual({ x: '23' })
  })

  it.each(['dev', 'live'] as const)(
    'leave nothing if the branch loses a `first`, in %s mode',
    async (mode) => {
      const run: Run = async ({ first, outputs }) => {
        outputs.write('shared.md', 'root')
        await first({
          slow: async (slow) => {
            slow.outputs.write('slow.md', 'slow')
            slow.outputs.write('shared.md', 'slow')
            await slow.ask('judge', 'one')
            await slow.ask('judge', 'two')
          },
          fast: async (fast) => {
            await fast.ask('judge', 'one')
            fast.outputs.write('fast.md', 'fast')
          },
        })
        expect(outputs.list()).toEqual(['fast.md', 'shared.md'])
      }
      const { written, record, folder } = await play(run, { mode })
      expect(record.outcome.reason).toBe('')
      expect(written).toEqual({ 'fast.md': 'fast', 'shared.md': 'root' })
      expect((await play(run, { mode, folder, replay: true })).divergences).toEqual([])
    },
  )

  it('stay those of the branch when it adopts the files of another', async () => {
    const { written } = await play(async ({ branch, workspace, outputs }) => {
      const { workspace: taken } = await branch('a', async (a) => {
        a.outputs.write('a.md', 'a')
        return a
      })
      outputs.write('b.md', 'b')
      workspace.adopt(taken)
      expect(outputs.list()).toEqual(['a.md', 'b.md'])
    })
    expect(Object.keys(written)).toEqual(['a.md', 'b.md'])
  })

  it('are kept if the branch fails', async () => {
    const { written } = await play(({ branch }) =>
      branch('a', async (a) => {
        a.outputs.write('a.md', 'a')
        throw new Error('no')
      }).catch(() => {}),
    )
    expect(written).toEqual({ 'a.md': 'a' })
  })
})

describe('outputs of the steps of a graph', () => {
  const step = (id: string, after: string[], run: Run) => ({ id, after, run: run as () => Promise<unknown> })
  it('are seen by the steps behind them alone, and by the branch afterwards', async () => {
    const seen: unknown[] = []
    const look: Run = async ({ outputs }) => seen.push(outputs.list())
    const { written } = await play(async ({ graph, outputs }) => {
      await graph([
        step('a', [], write('a.md')),
        step('b', [], write('b.md')),
        step('c', ['a'], look),
        step('d', ['a', 'b'], look),
      ])
      seen.push(outputs.list())
    })
    expect(seen).toEqual([['a.md'], ['a.md', 'b.md'], ['a.md', 'b.md']])
    expect(written).toEqual({ 'a.md': 'a.md', 'b.md': 'b.md' })
  })

  it('may not have one path, unless one step depends on the other or the last counts', async () => {
    const two = (after: string[], conflict?: 'last' | 'merge') => (context: AnyContext) =>
      context.graph([step('a', [], write('x', 'a')), step('b', after, write('x', 'b'))], {
        ...(conflict && { conflict }),
      })
    for (const conflict of [undefined, 'merge'] as const)
      expect((await play(two([], conflict))).record.outcome.reason).toContain(
        'the steps "a" and "b" both wrote the output x',
      )
    expect((await play(two(['a']))).written).toEqual({ x: 'b' })
    expect((await play(two([], 'last'))).written).toEqual({ x: 'b' })
    const clash = await play(({ graph }) => graph([step('a', [], write('x')), step('b', [], write('X'))]))
    expect(clash.record.outcome.reason).toContain('the steps "a" and "b"')
  })
})
