import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy, type StrategyContext } from '../../src/strategy.ts'
import { play } from '../helpers/runs/play.ts'

type Context = StrategyContext<'one' | 'two', Record<string, never>>
const strategy = (run: (context: Context) => Promise<unknown>) =>
  defineStrategy({
    name: 'played',
    summary: 'What a test makes of it.',
    roles: { one: 'produce', two: 'judge' },
    options: z.strictObject({}),
    run: async (context) => ({ answer: String(await run(context as Context)), stopReason: 'done' }),
  })

describe('a played strategy', () => {
  it('fails when it asks another role than the script’s', async () => {
    await expect(
      play(
        strategy(({ ask }) => ask('two', 'Go.')),
        {},
        [['one', 'x']],
      ),
    ).rejects.toThrow(/two/)
  })

  it('fails on a line or a check that nobody played', async () => {
    const once = strategy(({ ask }) => ask('one', 'Go.'))
    await expect(
      play(once, {}, [
        ['one', 'x'],
        ['two', 'y'],
      ]),
    ).rejects.toThrow(/nobody played/)
    await expect(play(once, {}, [['one', 'x']], { checks: ['passed'] })).rejects.toThrow(/nobody ran/)
  })

  it('fails on a second effect beside a pending one', async () => {
    const both = strategy(({ ask }) => Promise.all([ask('one', 'Go.'), ask('two', 'Go.')]))
    await expect(
      play(both, {}, [
        ['one', 'x'],
        ['two', 'y'],
      ]),
    ).rejects.toThrow(/use branch/)
  })

  it('sees the outputs of a branch when it has ended, of a `first` those of the winner, and no path twice', async () => {
    const seen: string[][] = []
    const sharing = strategy(async ({ branch, first, outputs }) => {
      outputs.write('own', '')
      await Promise.all([
        branch('a', async (a) => {
          a.outputs.write('a', 'A')
          await a.ask('one', 'Go.')
          await a.ask('one', 'Go.')
        }),
        branch('b', async (b) => {
          await b.ask('one', 'Go.')
          await b.ask('one', 'Go.')
          seen.push(b.outputs.list(), outputs.list())
        }),
      ])
      const race = async (context: Context, name: string, asks: number) => {
        context.outputs.write(name, '')
        for (let i = 0; i < asks; i++) await context.ask('two', 'Go.')
      }
      await first({ slow: (c) => race(c as Context, 'slow', 2), fast: (c) => race(c as Context, 'fast', 1) })
      const same = (context: Pick<Context, 'outputs'>) => Promise.resolve(context.outputs.write('same', ''))
      await Promise.all([branch('c', same), branch('d', same)]).catch((error: Error) =>
        seen.push([error.message]),
      )
    })
    const { outputs } = await play(sharing, {}, [
      ...(['a: one', 'a: one', 'b: one', 'b: one'] as const).map((who) => [who, 'x'] as ['a: one', string]),
      ...(['slow: two', 'slow: two', 'fast: two'] as const).map((who) => [who, 'x'] as ['slow: two', string]),
    ])
    expect(outputs).toEqual({ own: '', a: 'A', fast: '', same: '' })
    expect(seen.slice(0, 2)).toEqual([['own'], ['own']])
    expect(seen[2]?.[0]).toContain('the branches "c" and "d" were open together')
  })

  it('keeps the files of branches apart until one is adopted', async () => {
    const racing = strategy(async ({ branch, workspace }) => {
      const [a, b] = await Promise.all(
        ['a', 'b'].map((name) =>
          branch(name, async ({ ask, workspace }) => {
            await ask('one', 'Go.')
            return workspace
          }),
        ),
      )
      const before = workspace.read('file')
      if (b) workspace.adopt(b)
      return [before, a?.read('file'), workspace.read('file')].join()
    })
    const { answer, files } = await play(
      racing,
      {},
      [
        ['a: one', '', { file: 'A' }],
        ['b: one', '', { file: 'B' }],
      ],
      { files: { file: 'start' } },
    )
    expect(answer).toBe('start,A,B')
    expect(files).toEqual({ file: 'B' })
  })

  it('gives the branch that succeeds on the smallest clock', async () => {
    const racing = strategy(async ({ first }) => {
      const { name } = await first({
        slow: async ({ ask }) => [await ask('one', 'Go.'), await ask('one', 'Go.')],
        failing: async ({ ask }) => Promise.reject(await ask('two', 'Go.')),
        quick: async ({ ask }) => [await ask('one', 'Go.')],
      })
      return name
    })
    const { answer } = await play(racing, {}, [
      ['slow: one', ''],
      ['slow: one', ''],
      ['quick: one', ''],
      ['failing: two', ''],
    ])
    expect(answer).toBe('quick')
  })
})
