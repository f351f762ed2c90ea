import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../../src/text/redact.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { play, type Run, write } from '../../helpers/runs/play-outputs.ts'
import { agentOf } from '../../helpers/runs/trial.ts'

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
