import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy, type StrategyContext } from '../../src/strategy.ts'
import { play } from '../../src/testing.ts'

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
