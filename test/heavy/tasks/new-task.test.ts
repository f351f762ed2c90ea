import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { takeApart, usualTests } from '../../../src/commands/tasks/commit-change.ts'
import { readCommit } from '../../../src/commands/tasks/commit-files.ts'
import { UserError } from '../../../src/text/errors.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk } from '../../helpers/runs/cli.ts'
import { commitAll, git, makeRepository } from '../../helpers/suites/make-repository.ts'

const take = async (folder: string, only: string[] = []) =>
  takeApart(await readCommit(folder, 'HEAD'), { repository: folder, tests: usualTests, only })

const refusal = async (promise: Promise<unknown>) => {
  const error = await promise.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UserError)
  return (error as UserError).problems.map(({ where, what }) => `${where} ${what}`).join('\n')
}

const start = { 'src/a.js': 'old', 'test/a.test.js': 'old test' }

describe('a commit', () => {
  it('is taken apart into the state before it, its tests, and the rest', async () => {
    const folder = await makeRepository(start, {
      'src/a.js': 'new',
      'src/b.js': 'b',
      'test/a.test.js': 'new test',
    })
    expect(await take(folder)).toMatchObject({
      files: start,
      tests: { 'test/a.test.js': 'new test' },
      solution: { 'src/a.js': 'new', 'src/b.js': 'b' },
      notes: [],
    })
  })

  it.each([
    ['without tests', { 'src/a.js': 'new' }, 'adds or changes no test file'],
    ['with nothing but tests', { 'test/a.test.js': 'new' }, 'changes nothing but tests'],
    [
      'with a binary file',
      { 'src/a.js': 'n', 'test/b.test.js': 't', 'src/a.bin': 'a\0b' },
      'src/a.bin is a binary file',
    ],
    [
      'with a pointer of Git LFS',
      { 'test/b.test.js': 't', 'src/a.dat': 'version https://git-lfs.github.com/spec/v1\noid sha256:1\n' },
      'src/a.dat is a pointer of Git LFS',
    ],
    ['with a large file', { 'test/b.test.js': 't', 'src/a.js': 'x'.repeat(9_000_000) }, 'bytes; a task'],
  ])('%s is refused', async (_, files, what) => {
    expect(await refusal(makeRepository(start, files).then((folder) => take(folder)))).toContain(what)
  })

  it('without a parent, with two, with a link or a submodule is refused', async () => {
    expect(await refusal(makeRepository(start).then((folder) => take(folder)))).toContain(
      'is the first commit',
    )
    const folder = await makeRepository(start, { 'src/a.js': 'new', 'test/b.test.js': 't' })
    symlinkSync('a.js', join(folder, 'src/link.js'))
    await git(folder, 'init', '--quiet', 'inner')
    await git(join(folder, 'inner'), 'commit', '--quiet', '--allow-empty', '-m', 'Inner')
    writeFileSync(join(folder, 'test/c.test.js'), 't')
    await commitAll(folder, 'Link')
    const linked = await refusal(take(folder))
    expect(linked).toContain('src/link.js is a symbolic link')
    expect(linked).toContain('inner is a submodule')
    await git(folder, 'checkout', '--quiet', '-b', 'side', 'HEAD~1')
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'Side')
    await git(folder, 'merge', '--quiet', '--no-ff', '-m', 'Merge', '-')
    expect(await refusal(take(folder))).toContain('is a merge commit')
  })

  it('is read without hooks, filters or a change of the repository', async () => {
    const folder = await makeRepository(start, { 'src/a.js': 'new', 'test/a.test.js': 'new test' })
    const mark = join(folder, '../ran')
    for (const key of ['filter.f.smudge', 'filter.f.clean', 'core.fsmonitor', 'diff.external'])
      await git(folder, 'config', key, `touch ${mark}`)
    writeFileSync(join(folder, '.git/info/attributes'), '* filter=f\n')
    writeFileSync(join(folder, 'src/a.js'), 'not committed')
    const index = readFileSync(join(folder, '.git/index'))
    expect((await take(folder)).solution).toEqual({ 'src/a.js': 'new' })
    expect(existsSync(mark)).toBe(false)
    expect(readFileSync(join(folder, '.git/index'))).toEqual(index)
    expect(readFileSync(join(folder, 'src/a.js'), 'utf8')).toBe('not committed')
  })
})

const code = {
  'package.json': '{ "type": "module" }',
  'src/slug.js': 'export const slug = (text) => text.toLowerCase()\n',
  'test/slug.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from '../src/slug.js'
test('lower case', () => assert.equal(slug('Word'), 'word'))
`,
}
const change = {
  'src/slug.js': "export const slug = (text) => text.toLowerCase().replaceAll(' ', '-')\n",
  'test/slug.test.js': `${code['test/slug.test.js']}test('dashes', () => assert.equal(slug('a b'), 'a-b'))\n`,
}

it('bench tasks new makes a task of a commit, which the reference solves and nothing else', async () => {
  const folder = await makeRepository(code, change)
  const cwd = dirname(folder)
  const made = ['tasks', 'new', '--repo', 'project', '--commit', 'HEAD', '--id', 'one', '--tests']
  const out = await benchOk([...made, 'node --test'], { cwd })
  expect(out).toContain('1 of 1 task proved')
  expect(out).toMatch(/failToPass\): 1\n {2}dashes\npass before and after \(passToPass\): 1/)
  expect(readFileSync(join(cwd, 'my-tasks/one/task.yaml'), 'utf8')).toContain('- "!**/test/**"')
  const again = await bench([...made, 'node --test'], { cwd })
  expect(again.stderr).toContain('my-tasks/one] is there already')
  const weak = await bench([...made, 'true', '--out', 'other'], { cwd })
  expect(weak.stderr).toContain('passes before the commit as well')
  expect(existsSync(join(cwd, 'other'))).toBe(false)
  expect(await git(folder, 'status', '--porcelain')).toBe('')
})

it('bench tasks new question and new code write tasks that prove, and name all that is missing', async () => {
  const cwd = tempFolder()
  await benchOk(['tasks', 'new', 'question', '--id', 'q', '--question', 'What is 6 * 7?', '--answer', '42'], {
    cwd,
  })
  for (const language of ['javascript', 'typescript', 'python'])
    await benchOk(
      ['tasks', 'new', 'code', '--id', language, '--language', language, '--function', 'countWords'],
      { cwd },
    )
  const out = await benchOk(['tasks', 'check', 'native:my-tasks', '--quick'], { cwd })
  expect(out).toContain('4 of 4 tasks proved')
  const { code, stderr } = await bench(['tasks', 'new', 'code'], { cwd })
  expect(code).toBe(2)
  for (const flag of ['--id', '--language', '--function']) expect(stderr).toContain(`[${flag}] is missing`)
})
