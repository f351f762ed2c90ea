import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { takeApart, usualTests } from '../../../src/commands/repository/commit-change.ts'
import { readCommit } from '../../../src/commands/repository/commit-files.ts'
import { finishTask } from '../../../src/commands/tasks/finish-task.ts'
import { UserError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder, writeFiles } from '../../helpers/machine/temp.ts'
import { inTerminal } from '../../helpers/machine/terminal.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench, benchOk, startBench, until } from '../../helpers/runs/cli.ts'
import { commitAll, git, makeRepository } from '../../helpers/runs/repository.ts'

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
  const written = readFileSync(join(cwd, 'my-tasks/one/task.yaml'), 'utf8')
  expect(written).toContain('- "!**/test/**"')
  expect(written).toMatch(/^cluster: project$/m)
  const again = await bench([...made, 'node --test'], { cwd })
  expect(again.stderr).toContain('my-tasks/one] is there already')
  const weak = await bench([...made, 'true', '--out', 'other'], { cwd })
  expect(weak.stderr).toContain('passes before the commit as well')
  expect(existsSync(join(cwd, 'other'))).toBe(false)
  expect(await git(folder, 'status', '--porcelain')).toBe('')
})

it('bench tasks new question and new code write tasks that prove, and name all that is missing', async () => {
  const cwd = tempFolder()
  await benchOk(argv`tasks new question --id q --question ${'What is 6 * 7?'} --answer 42`, {
    cwd,
  })
  for (const language of ['javascript', 'typescript', 'python'])
    await benchOk(argv`tasks new code --id ${language} --language ${language} --function countWords`, { cwd })
  const out = await benchOk(['tasks', 'check', 'native:my-tasks', '--quick'], { cwd })
  expect(out).toContain('4 of 4 tasks proved')
  const { code, stderr } = await bench(['tasks', 'new', 'code'], { cwd })
  expect(code).toBe(2)
  for (const flag of ['--id', '--language', '--function']) expect(stderr).toContain(`[${flag}] is missing`)
})

describe('bench tasks new at a terminal', () => {
  needs('script').it(
    'asks for a question, again after a wrong answer, and takes nothing for no options',
    async () => {
      const cwd = tempFolder()
      const { shown, exitCode } = await inTerminal(
        argv`tasks new question`,
        [
          [/train-times: /, 'two words\r'],
          [/This must consist[\s\S]*train-times: /, 'sum\r'],
          [/in one line: /, '\r'],
          [/This is needed[\s\S]*in one line: /, 'What is 40 + 44?\r'],
          [/no choice: /, '\r'],
          [/right answer: /, '1,5\r'],
          [/may be a decimal comma[\s\S]*right answer: /, '84\r'],
        ],
        { cwd },
      )
      expect(exitCode, shown).toBe(0)
      expect(readFileSync(join(cwd, 'my-tasks/sum/instruction.md'), 'utf8')).toBe('What is 40 + 44?\n')
      expect(readFileSync(join(cwd, 'my-tasks/sum/task.yaml'), 'utf8')).toContain('kind: numeric')
      const again = await bench(['tasks', 'new', 'question', '--id', 'sum'], { cwd })
      expect(again.stderr).toContain('[--id sum] is the name of a folder that is there already: my-tasks/sum')
    },
  )

  needs('script').it('asks for a function, and an answer that is none of the options again', async () => {
    const cwd = tempFolder()
    const code = await inTerminal(
      argv`tasks new code --id count`,
      [
        [/python: /, 'ruby\r'],
        [/is not one of[\s\S]*python: /, 'javascript\r'],
        [/weekNumber: /, '9lives\r'],
        [/is not a name[\s\S]*weekNumber: /, 'countWords\r'],
      ],
      { cwd },
    )
    expect(code.exitCode, code.shown).toBe(0)
    const choice = await inTerminal(
      argv`tasks new question --id colour --question Which?`,
      [
        [/no choice: /, 'red|blue\r'],
        [/right answer: /, 'black\r'],
        [/is not one of the options: red \| blue[\s\S]*right answer: /, 'B\r'],
      ],
      { cwd },
    )
    expect(choice.exitCode, choice.shown).toBe(0)
    expect(readdirSync(join(cwd, 'my-tasks')).sort()).toEqual(['colour', 'count'])
  })

  for (const [name, key] of [
    ['Ctrl-C', '\x03'],
    ['Ctrl-D', '\x04'],
  ] as const)
    needs('script').it(`leaves nothing after ${name}`, async () => {
      const cwd = tempFolder()
      const { shown, exitCode } = await inTerminal(argv`tasks new code --id a`, [[/python: /, key]], { cwd })
      expect(exitCode, shown).toBe(130)
      expect(shown).toContain('stopped: nothing was written')
      expect(shown).not.toMatch(/^\s+at |Internal error|Warning|\\x1b/m)
      expect(readdirSync(cwd)).toEqual([])
    })
})

const made = (...more: string[]) => argv`tasks new --repo project --commit HEAD --id one ${more}`

const slow = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sum } from '../src/sum.js'
test('sums', async () => {
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(sum(1, 2), 3)
})
`
/** A commit whose tests take a while. */
const slowRepository = () =>
  makeRepository(
    { 'package.json': '{ "type": "module" }', 'src/sum.js': 'export const sum = () => 0\n' },
    { 'src/sum.js': 'export const sum = (a, b) => a + b\n', 'test/sum.test.js': slow },
  )

describe('bench tasks new that is stopped', () => {
  it('by Ctrl-C leaves nothing, and by a kill a folder that the next call replaces', async () => {
    const cwd = dirname(await slowRepository())
    const stage = join(cwd, 'mine/.one.unfinished')
    const begin = async () => {
      const running = startBench(made('--tests', 'node --test', '--out', 'mine'), { cwd })
      await until(() => existsSync(stage) || running.isOver())
      return running
    }
    const stopped = await begin()
    stopped.kill('SIGINT')
    expect(await stopped.ended).toMatchObject({ code: 130 })
    expect((await stopped.ended).stderr).toContain('stopped: nothing was written')
    expect(readdirSync(cwd)).toEqual(['project'])

    const killed = await begin()
    killed.kill('SIGKILL')
    await killed.ended
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['.one.unfinished'])
    const again = await bench(made('--tests', 'node --test', '--out', 'mine'), { cwd })
    expect(again).toMatchObject({ code: 0 })
    expect(again.stderr).toContain('.one.unfinished, which an interrupted command has left')
    expect(readdirSync(join(cwd, 'mine'))).toEqual(['one'])
  })

  it('by a proof that fails says so, and leaves nothing', async () => {
    const folder = join(tempFolder(), 'new/suite/one')
    const said = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const { signal } = new AbortController()
    const graders = [{ kind: 'exact' as const, answer: 'red' }]
    const parts = {
      spec: { id: 'one', title: 'One', output: 'answer' as const, graders },
      instruction: 'Say red.',
    }
    const code = await finishTask(
      folder,
      { ...parts, solution: { 'answer.txt': 'blue' } },
      { signal, generate: 0 },
    )
    const text = said.mock.calls.join('')
    said.mockRestore()
    expect(code).toBe(1)
    expect(text).toContain('suite/one is not written, since the proof fails.')
    expect(existsSync(join(folder, '../..'))).toBe(false)
  })
})

describe('a failing --tests command', () => {
  it('is told in one line, its remedy in the next, and a few lines of its output below', async () => {
    const files = {
      'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
      'src/a.js': 'export const a = 1\n',
    }
    const test = "import 'left-pad'\n"
    const cwd = dirname(await makeRepository(files, { 'src/a.js': '\n', 'test/a.test.js': test }))
    const { stderr, code } = await bench(made('--tests', 'npm test'), { cwd })
    expect(code).toBe(2)
    const lines = stderr
      .trim()
      .split('\n')
      .filter((line) => !line.startsWith('note: '))
    const [fact, remedy, ...excerpt] = lines
    expect(fact).toBe(
      'bench: [--tests npm test] runs tests, of which none passes after the commit (exit code 1).',
    )
    expect(remedy).toMatch(/^bench: The package left-pad is not there: .*--include node_modules\/left-pad/)
    expect(excerpt.length).toBeLessThan(14)
    for (const line of excerpt) expect(line).toMatch(/^ {4}/)
    expect(excerpt.join('\n')).toContain("Cannot find package 'left-pad'")
  })

  it('takes a package of --include, with the packages that it imports', async () => {
    const packages = {
      'node_modules/outer/package.json': '{ "name": "outer", "type": "module", "main": "index.js" }',
      'node_modules/outer/index.js': "export { inner as outer } from 'inner'\n",
      'node_modules/inner/package.json': '{ "name": "inner", "type": "module", "main": "index.js" }',
      'node_modules/inner/index.js': 'export const inner = 2\n',
    }
    const test = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { outer } from 'outer'
import { a } from '../src/a.js'
test('a is outer', () => assert.equal(a, outer))
`
    const folder = await makeRepository(
      {
        '.gitignore': 'node_modules\n',
        'package.json': '{ "type": "module" }',
        'src/a.js': 'export const a = 1\n',
      },
      { 'src/a.js': 'export const a = 2\n', 'test/a.test.js': test },
    )
    writeFiles(folder, packages)
    const cwd = dirname(folder)
    const tests = made('--tests', 'node --test test/a.test.js', '--include', 'node_modules/outer')
    expect((await bench(tests, { cwd })).stderr).toContain('--include node_modules/inner')
    const out = await benchOk([...tests, '--include', 'node_modules/inner'], { cwd })
    expect(out).toContain('1 of 1 task proved')
    expect(existsSync(join(cwd, 'my-tasks/one/files/node_modules/inner/index.js'))).toBe(true)
  })
})

it('a repository that cannot be read is named with a remedy, and without the words of git', async () => {
  const cwd = dirname(await slowRepository())
  mkdirSync(join(cwd, 'plain'))
  await git(cwd, 'clone', '--quiet', '--depth', '1', `file://${join(cwd, 'project')}`, 'shallow')
  for (const [repo, commit, text] of [
    ['plain', 'HEAD', '[--repo plain] is not in a git repository.'],
    ['gone', 'HEAD', '[--repo gone] is not a folder.'],
    ['project', 'nope', '[--commit nope] is not a commit of this repository.'],
    ['shallow', 'HEAD', 'this shallow clone ends: the state before it is not here. Run git fetch'],
    ['shallow', 'HEAD~1', 'or run git fetch --unshallow'],
    ['project', 'HEAD~1', 'is the first commit'],
  ] as const) {
    const call = ['tasks', 'new', '--repo', repo, '--commit', commit, '--tests', 'node --test']
    const { code, stderr } = await bench(call, { cwd })
    expect(code).toBe(2)
    expect(stderr).toContain(text)
    expect(stderr).not.toContain('fatal')
  }
})
