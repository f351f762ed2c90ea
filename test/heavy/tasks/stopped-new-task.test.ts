import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { finishTask } from '../../../src/commands/tasks/finish-task.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench, benchOk, startBench, until } from '../../helpers/runs/cli.ts'
import { git, makeRepository } from '../../helpers/suites/make-repository.ts'

const made = (...more: string[]) => [
  'tasks',
  'new',
  '--repo',
  'project',
  '--commit',
  'HEAD',
  '--id',
  'one',
  ...more,
]

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
    const [, fact, remedy, ...excerpt] = stderr.trim().split('\n')
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
    for (const [path, text] of Object.entries(packages)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
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
