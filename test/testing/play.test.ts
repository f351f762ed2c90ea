import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineStrategy, type StrategyContext } from '../../src/strategy.ts'
import { failingAfter, play, scriptedAgent, timingOut } from '../../src/testing.ts'

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

describe('the outputs of a played strategy', () => {
  it('can be read where they were written, and outside of a branch when it has ended', async () => {
    const writing = strategy(async ({ branch, outputs }) => {
      outputs.write('a.md', 'A')
      const seen: unknown[] = []
      await Promise.all([
        branch('one', async ({ ask, outputs: own }) => {
          own.write('b.md', 'B')
          await ask('one', 'Go.')
          seen.push(own.list())
        }),
        branch('two', async ({ ask, outputs: own }) => {
          await ask('one', 'Go.')
          await ask('one', 'Go on.')
          seen.push(own.read('b.md'), own.read('a.md'), outputs.list())
        }),
      ])
      return JSON.stringify([...seen, outputs.read('b.md')])
    })
    const { answer, outputs } = await play(writing, {}, scriptedAgent(['x']))
    expect(answer).toBe(JSON.stringify([['a.md', 'b.md'], undefined, 'A', ['a.md'], 'B']))
    expect(outputs).toEqual({ 'a.md': 'A', 'b.md': 'B' })
  })

  it('fail where branches that are open together write the same file', async () => {
    const clashing = strategy(({ branch }) =>
      Promise.all(['a', 'b'].map((name) => branch(name, async ({ outputs }) => outputs.write('x.md', name)))),
    )
    await expect(play(clashing, {}, [])).rejects.toThrow(
      'the branches "a" and "b" were open together, and both wrote the output x.md',
    )
    const inTurn = strategy(async ({ branch, outputs }) => {
      for (const name of ['a', 'b']) await branch(name, async ({ outputs }) => outputs.write('x.md', name))
      return outputs.read('x.md')
    })
    expect((await play(inTurn, {}, [])).answer).toBe('b')
  })

  it('are those of the winner of a first', async () => {
    const racing = strategy(({ first }) =>
      first({
        slow: async ({ ask, outputs }) => [
          outputs.write('x.md', 'slow'),
          await ask('one', 'Go.'),
          await ask('one', 'Go.'),
        ],
        quick: async ({ ask, outputs }) => [outputs.write('x.md', 'quick'), await ask('one', 'Go.')],
      }),
    )
    expect((await play(racing, {}, scriptedAgent(['x']))).outputs).toEqual({ 'x.md': 'quick' })
  })

  it.each(['', '/a.md', '../a.md'])('refuse the path "%s"', async (path) => {
    const writing = strategy(async ({ outputs }) => outputs.write(path, 'x'))
    await expect(play(writing, {}, [])).rejects.toThrow('must be relative')
  })
})

describe('a strategy that is played with doubles', () => {
  const Ok = z.object({ ok: z.boolean() })
  const judged = strategy(async ({ ask }) => {
    await ask('one', 'Go.', { show: { hint: 'Fly.' } })
    return JSON.stringify(await ask('two', 'Is it right?', { shape: Ok }))
  })

  it('sends whole prompts: the task to roles that produce, what is shown, and the format of data', async () => {
    const one = scriptedAgent(['work'])
    const two = scriptedAgent([{ data: { ok: true } }])
    const { answer, asks } = await play(judged, {}, { one, two }, { instruction: 'Name a bird.' })
    expect(answer).toBe('{"ok":true}')
    expect(one.prompts).toEqual(['Name a bird.\nGo.\n\n## hint\nFly.'])
    expect(two.prompts[0]).toMatch(/^Is it right\?\n\nReply with one JSON value/)
    expect(asks.map(({ prompt }) => prompt)).toEqual(['Go.', 'Is it right?'])
  })

  it('gets one repair of data that does not parse, as in a run', async () => {
    const repaired = scriptedAgent({ one: ['work'], two: ['perhaps', '```json\n{"ok":false}\n```'] })
    expect((await play(judged, {}, repaired)).answer).toBe('{"ok":false}')
    expect(repaired.prompts[2]).toContain('Your last reply could not be used: it holds no JSON value.')
    const lasting = play(judged, {}, scriptedAgent(['perhaps']))
    await expect(lasting).rejects.toMatchObject({ name: 'AgentError', reason: 'unparsable' })
  })

  it('gets the error of an agent that fails, which it may handle', async () => {
    const tolerant = strategy(async ({ ask }) => {
      const first = await ask('one', 'Go.')
      return `${first}, then ${await ask('one', 'Go on.').catch(({ reason }) => reason)}`
    })
    expect((await play(tolerant, {}, failingAfter(1, ['work'], 'refusal'))).answer).toBe('work, then refusal')
    expect((await play(tolerant, {}, failingAfter(2, ['work']))).answer).toBe('work, then work')
    await expect(play(tolerant, {}, timingOut(5000))).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('has the clock, the bill and the files that its agents make', async () => {
    const measured = strategy(async ({ ask, now, spent, branch }) => {
      await branch('a', async (inner) => inner.ask('one', 'Go.'))
      await ask('two', 'Go.', { timeoutMs: 300 }).catch(() => '')
      return JSON.stringify({ now: now(), spent: spent() })
    })
    const work = { files: { 'a.txt': 'A' }, durationMs: 50, tokens: { input: 9, output: 4 }, costUsd: 0.25 }
    const { answer, files } = await play(measured, {}, { one: scriptedAgent([work]), two: timingOut(5000) })
    expect(JSON.parse(answer ?? '')).toEqual({
      now: 350,
      spent: {
        ...{ calls: 2, input: 9, output: 4, costUsd: 0.25 },
        reported: { input: 9, output: 4, costUsd: 0.25 },
        unreported: { input: 0, output: 0, costUsd: 0 },
      },
    })
    expect(files).toEqual({})
    const { files: made } = await play(
      strategy(({ ask }) => ask('one', 'Go.')),
      {},
      scriptedAgent([work]),
    )
    expect(made).toEqual({ 'a.txt': 'A' })
  })

  it('begins each play with the first replies', async () => {
    const double = scriptedAgent(['one', 'two'])
    const once = strategy(({ ask }) => ask('one', 'Go.'))
    const answers = [await play(once, {}, double), await play(once, {}, double)].map(({ answer }) => answer)
    expect(answers).toEqual(['one', 'one'])
  })

  it('fails when it asks a role that has no double', async () => {
    await expect(play(judged, {}, { one: scriptedAgent(['work']) })).rejects.toThrow(
      'ask 2: the strategy asks "two", but no double answers for this role',
    )
  })
})

describe('a stage that is played', () => {
  const program = { command: ['node', '{stage}/plan.mjs'], state: '{}' }
  const staged = strategy(async ({ stage, workspace }) => {
    const plan = await stage('plan', program)
    workspace.adopt(plan.workspace)
    const test = await stage('test', { ...program, state: plan.state ?? '' })
    return JSON.stringify([plan.exitCode, plan.asks, test.exitCode, test.reason, test.state])
  })
  const plan = { id: 'plan', state: '{"a":1}', files: { 'a.txt': 'new', 'b.txt': null } }

  it('ends as the scene says, and starts no program', async () => {
    const test = { id: 'test', exitCode: null, reason: 'was ended by SIGKILL', state: undefined }
    const { answer, files, stages } = await play(staged, {}, [], {
      files: { 'a.txt': 'old', 'b.txt': '' },
      stages: [plan, test],
    })
    expect(answer).toBe('[0,0,null,"was ended by SIGKILL",null]')
    expect(files).toEqual({ 'a.txt': 'new' })
    expect(stages).toEqual([
      { branch: '', id: 'plan', program },
      { branch: '', id: 'test', program: { ...program, state: '{"a":1}' } },
    ])
  })

  it('fails where the scene has another, none, or one that nobody ran', async () => {
    const ends = (...ids: string[]) => play(staged, {}, [], { stages: ids.map((id) => ({ id })) })
    await expect(ends('ship')).rejects.toThrow('runs the stage "plan"; the scene has "ship"')
    await expect(ends('plan')).rejects.toThrow('runs the stage "test"; the scene has no more')
    await expect(ends('plan', 'test', 'ship')).rejects.toThrow('stages that nobody ran: ship')
  })
})

describe('a played strategy fails with a plain message', () => {
  it.each([
    [
      'an ask of an unknown role',
      ({ ask }: Context) => ask('three' as never, 'Go.'),
      /which it does not declare in roles; there are one, two/,
    ],
    [
      'an ask after the last line',
      async ({ ask }: Context) => [await ask('one', 'Go.'), await ask('one', 'Go.')],
      /^ask 2: the strategy asks "one", but the script has no more lines here/,
    ],
    [
      'an ask in a branch without lines',
      ({ branch }: Context) => branch('a', ({ ask }) => ask('one', 'Go.')),
      /^ask 1, in branch "a": the strategy asks "one"/,
    ],
  ])('on %s', async (_, run, message) => {
    await expect(play(strategy(run), {}, [['one', 'x']])).rejects.toThrow(message)
  })

  it.each([
    ['a state that is not plain JSON', { stopReason: 'done', state: { at: new Date(0) } }, /not plain JSON/],
    ['an unknown stopReason', { stopReason: 'finished' }, /the stopReason finished/],
  ])('on %s', async (_, result, message) => {
    const returning = { ...strategy(async () => ''), run: async () => result as never }
    await expect(play(returning, {}, [])).rejects.toThrow(message)
  })
})
