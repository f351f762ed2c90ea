import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openOutputFiles } from '../../../src/loop/journal/output-files.ts'
import type { StorageError } from '../../../src/text/errors.ts'
import { createRedactor } from '../../../src/text/redact.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

type Run = (context: AnyContext) => Promise<unknown>

const agent = agentOf(() => '42')

/** Plays a method; returns its record and the trial's outputs in the run folder, by path. */
async function play(run: Run, setting: Partial<Setting> = {}) {
  const strategy = strategyOf(async (context) => {
    await run(context)
    return { stopReason: 'done', answer: '42' }
  })
  const played = await playTrial({ agent, strategy, ...setting })
  return { ...played, written: outputsOf(played.folder) }
}

function outputsOf(folder: string): Record<string, string> {
  const artifacts = join(folder, 'artifacts')
  if (!existsSync(artifacts)) return {}
  const [trial = ''] = readdirSync(artifacts)
  const outputs = join(artifacts, trial, 'outputs')
  if (!existsSync(outputs)) return {}
  const files = readdirSync(outputs, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(outputs, path)).isFile())
    .sort()
  return Object.fromEntries(files.map((path) => [path, readFileSync(join(outputs, path), 'utf8')]))
}

const write =
  (path: string, text = path): Run =>
  async ({ outputs }) =>
    outputs.write(path, text)

describe('an output', () => {
  it('is a file in the folder of its trial, and is replaced whole when it is written again', async () => {
    const { written, record } = await play(async ({ outputs }) => {
      outputs.write('drafts/a.md', 'first')
      outputs.write('drafts/a.md', 'second')
      outputs.write('b.md', '')
      expect([outputs.list(), outputs.read('drafts/a.md'), outputs.read('c')]).toEqual([
        ['b.md', 'drafts/a.md'],
        'second',
        undefined,
      ])
    })
    expect(record.outcome).toEqual({ status: 'completed', reason: '' })
    expect(written).toEqual({ 'drafts/a.md': 'second', 'b.md': '' })
  })

  it('is not written by a replay, and is written again by a resumed trial', async () => {
    const run: Run = async ({ ask, outputs }) => outputs.write('a.md', `${await ask('judge', 'one')}!`)
    const { folder, record } = await play(run)
    const path = join(folder, 'artifacts', record.trial, 'outputs/a.md')
    writeFileSync(path, 'changed')
    writeFileSync(join(dirname(path), 'stale.md'), 'of an earlier session')
    const replayed = await play(run, { folder, replay: true })
    expect(replayed.written).toEqual({ 'a.md': 'changed', 'stale.md': 'of an earlier session' })
    expect(replayed.divergences).toEqual([])
    const resumed = await play(run, { folder })
    expect(resumed.written).toEqual({ 'a.md': '42!' })
  })

  it.each([
    [{ outputs: false }, { 'run.md': 'what happened' }],
    [{ summaries: false }, { 'draft.md': 'a draft' }],
    [{ outputs: false, summaries: false }, {}],
    [{}, { 'draft.md': 'a draft', 'run.md': 'what happened' }],
  ])('is a file, or a summary is, as the run captures it: %o', async (capture, expected) => {
    const { written } = await play(
      async ({ outputs }) => {
        outputs.write('draft.md', 'a draft')
        outputs.write('run.md', 'what happened', 'summary')
        expect(outputs.list()).toEqual(['draft.md', 'run.md'])
      },
      { capture },
    )
    expect(written).toEqual(expected)
  })

  it('stays in memory alone where the run captures no outputs', async () => {
    const { written, folder } = await play(
      async ({ outputs }) => {
        outputs.write('a.md', 'text')
        expect(outputs.read('a.md')).toBe('text')
      },
      { capture: { outputs: false } },
    )
    expect(written).toEqual({})
    expect(existsSync(join(folder, 'artifacts'))).toBe(false)
  })

  it('is redacted, its path too', async () => {
    const redact = createRedactor([{ name: 'MY_API_KEY', value: 'abcdef0123456789' }])
    const { written } = await play(
      async ({ outputs }) => {
        outputs.write('a-abcdef0123456789.md', 'key abcdef0123456789')
        expect(outputs.read('a-abcdef0123456789.md')).not.toContain('abcdef')
      },
      { ...(redact && { redact }) },
    )
    expect(Object.entries(written).flat().join()).toMatch(/^a-.*key /)
    expect(Object.entries(written).flat().join()).not.toContain('abcdef0123456789')
  })

  it('is withheld on the disk once an agent gave a reference solution', async () => {
    const oracle = agentOf(() => ({ text: '42', secret: true }))
    const { written } = await play(
      async ({ ask, outputs }) => {
        outputs.write('before.md', 'known')
        outputs.write('after.md', await ask('judge', 'one'))
        expect(outputs.read('after.md')).toBe('42')
      },
      { agent: oracle },
    )
    expect(written['before.md']).toBe('known')
    expect(written['after.md']).toMatch(/^\(withheld/)
  })

  it.each(['artifacts', 'trial', 'outputs', 'folder', 'file', 'draft'])(
    'never follows a link in place of its %s',
    async (where) => {
      const { folder, record } = await play(write('d/a.md', 'old'))
      const trial = join(folder, 'artifacts', record.trial)
      const places: Record<string, string> = {
        artifacts: join(folder, 'artifacts'),
        trial,
        outputs: join(trial, 'outputs'),
        folder: join(trial, 'outputs/d'),
        file: join(trial, 'outputs/d/a.md'),
        draft: join(trial, 'outputs.draft'),
      }
      const place = places[where] as string
      const outside = tempFolder()
      writeFileSync(join(outside, 'a.md'), 'theirs')
      rmSync(place, { recursive: true, force: true })
      symlinkSync(['file', 'draft'].includes(where) ? join(outside, 'a.md') : outside, place)
      // The method writes before its first effect, and again after it.
      const { written } = await play(
        async ({ ask, outputs }) => {
          outputs.write('d/a.md', 'new')
          await ask('judge', 'one')
          outputs.write('d/a.md', 'newer')
        },
        { folder },
      )
      expect(written).toEqual({ 'd/a.md': 'newer' })
      expect(readdirSync(outside)).toEqual(['a.md'])
      expect(readFileSync(join(outside, 'a.md'), 'utf8')).toBe('theirs')
    },
  )

  it('replaces a folder that stands in its place', async () => {
    const folder = tempFolder()
    const { record } = await play(write('a.md'), { folder })
    const { written } = await play(
      async ({ outputs }) => {
        const path = join(folder, 'artifacts', record.trial, 'outputs/a.md')
        rmSync(path, { force: true })
        mkdirSync(join(path, 'deep'), { recursive: true })
        outputs.write('a.md', 'text')
      },
      { folder },
    )
    expect(written).toEqual({ 'a.md': 'text' })
  })
})

describe('the path of an output', () => {
  const long = 'x'.repeat(256)
  it.each([
    '',
    '/a',
    '../a',
    'a/../b',
    'a//b',
    './a',
    'a/',
    'a\\b',
    'C:/a',
    'a\nb',
    'a\u0000',
    '\ud800',
    long,
  ])('is refused as %j', async (path) => {
    const { record, written } = await play(write(path))
    expect(record.outcome.status).toBe('failed')
    expect(record.outcome.reason).toMatch(/^the method broke: \[strategy\] outputs\.write\(\): the path/)
    expect(written).toEqual({})
  })
  it.each([
    '.git/config',
    'a/.GIT/hooks/x',
    '.svn/a',
    'HEAD',
    'a/head',
    'a'.repeat(200).concat('/').repeat(6).concat('b'),
  ])('is refused as %j, of a version control tool or too long', async (path) => {
    expect((await play(write(path))).record.outcome.reason).toContain('outputs.write(): the path')
  })
  it.each([
    ['a', 'a/b'],
    ['a/b', 'a'],
    ['a.md', 'A.md'],
    ['drafts/a.md', 'Drafts/b.md'],
    ['é.md', 'e\u0301.md'],
    ['straße', 'STRASSE'],
  ])('is refused where %j stands already: %j', async (first, second) => {
    const { record, written } = await play(async ({ outputs }) => {
      outputs.write(first, 'one')
      outputs.write(second, 'two')
    })
    expect(record.outcome.reason).toContain(`cannot stand beside the output ${JSON.stringify(first)}`)
    expect(written).toEqual({ [first]: 'one' })
  })
  it('and its text must be strings', async () => {
    const bad = (path: unknown, text: unknown) =>
      play(async ({ outputs }) => outputs.write(path as string, text as string))
    expect((await bad(1, 'a')).record.outcome.reason).toContain('must be a string, got a number')
    expect((await bad('a', Promise.resolve(''))).record.outcome.reason).toContain('await it first')
  })
})

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

describe('a write', () => {
  it('is refused while an effect or a branch is pending', async () => {
    const { record } = await play(async ({ ask, branch, outputs }) => {
      const asked = ask('judge', 'one')
      expect(() => outputs.write('a', '')).toThrow(
        /outputs\.write\(\) in the root branch while another effect/,
      )
      await asked
      const opened = branch('b', (b) => b.ask('judge', 'one'))
      expect(() => outputs.write('a', '')).toThrow(/while a child branch is pending/)
      await opened
    })
    expect(record.outcome.reason).toBe('')
  })

  it('is refused after a limit’s refusal, in a branch that has ended, and does nothing after the trial', async () => {
    let late: AnyContext | undefined
    const { record, folder, written } = await play(
      async (context) => {
        late = context
        const ended = await context.branch('b', async (b) => b)
        expect(() => ended.outputs.write('a', '')).toThrow(/which has ended/)
        context.outputs.write('kept', '')
        await context.ask('judge', 'one')
        await context.ask('judge', 'two').catch(() => {})
        expect(() => context.outputs.write('a', '')).toThrow(/calls/)
        expect(context.outputs.read('kept')).toBe('')
      },
      { limits: { calls: 1 } },
    )
    expect(record.outcome.status).toBe('limited')
    late?.outputs.write('late', '')
    expect([written, outputsOf(folder)]).toEqual([{ kept: '' }, { kept: '' }])
  })

  it('that is a result of an interrupt is not in the run folder', async () => {
    const stop = new AbortController()
    const folder = tempFolder()
    const stopping = agentOf(() => {
      stop.abort()
      return 'cut off'
    })
    const run: Run = async ({ ask, outputs }) => {
      outputs.write('before', '')
      await ask('judge', 'one').catch(() => {})
      await ask('judge', 'two').catch(() => outputs.write('after', ''))
    }
    await expect(play(run, { folder, agent: stopping, signal: stop.signal })).rejects.toThrow(/interrupted/)
    expect(outputsOf(folder)).toEqual({ before: '' })
  })

  it('of more bytes than an output may have is refused', async () => {
    const { record } = await play(write('big', 'x'.repeat(8 * 1024 ** 2 + 1)))
    expect(record.outcome.reason).toContain('are the most that an output may have')
  })

  it('takes the place of a file where a folder should be, and a deep path', async () => {
    const folder = tempFolder()
    writeFileSync(join(folder, 'artifacts'), 'a file')
    const deep = `${'x/'.repeat(500)}y`
    expect((await play(write(deep), { folder })).written).toEqual({ [deep]: deep })
  })

  it('that the disk refuses interrupts the trial, and is reported with place, fact and remedy', async () => {
    const folder = tempFolder()
    const reached: string[] = []
    const run: Run = async ({ ask, outputs }) => {
      rmSync(folder, { recursive: true })
      outputs.write('a.md', 'lost')
      reached.push('went on')
      await ask('judge', 'one')
      reached.push('asked')
    }
    await expect(play(run, { folder })).rejects.toThrow(/interrupted/)
    expect(reached).toEqual(['went on'])
    const errors: StorageError[] = []
    const files = openOutputFiles(folder, { onStorageError: (error) => errors.push(error) })
    const writeOne = () => files.write('trial', 'a.md', '', { durable: true })
    expect(writeOne).toThrow(
      /artifacts\/trial\/outputs\/a\.md.*cannot be written: it was removed during the run \(ENOENT\)/s,
    )
    mkdirSync(folder)
    expect(writeOne, 'nothing more is written').toThrow(/ENOENT/)
    expect(errors).toHaveLength(1)
  })
})

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
