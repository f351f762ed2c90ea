import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { needs } from '../../helpers/house/needs.ts'
import { writeFiles } from '../../helpers/machine/temp.ts'
import { argv } from '../../helpers/runs/argv.ts'
import { bench } from '../../helpers/runs/cli.ts'
import { makeRepository } from '../../helpers/runs/repository.ts'

const made = (tests: string, more: readonly string[] = [], id = 'one') =>
  argv`tasks new --repo project --commit HEAD --id ${id} --tests ${tests} ${more}`

/** Expects a refusal with a text, and that the remedy makes the task. */
async function refusedThenMade(
  folder: string,
  refused: readonly string[],
  says: string,
  remedy: readonly string[],
): Promise<void> {
  const cwd = dirname(folder)
  const first = await bench(refused, { cwd })
  expect(first.code).toBe(2)
  expect(first.stderr).toContain(says)
  const second = await bench(remedy, { cwd })
  expect(second.code, second.stderr).toBe(0)
  expect(second.stdout).toContain('1 of 1 task proved')
}

const before = { 'package.json': '{ "type": "module" }', 'src/a.js': 'export const a = 1\n' }
const after = { 'src/a.js': 'export const a = 2\n' }
const test = (from: string) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { a } from '${from}'
test('a is two', () => assert.equal(a, 2))
`

describe('the remedy of a refusal works:', () => {
  it('a file that a task cannot hold is left out by name', async () => {
    const folder = await makeRepository(before, {
      ...after,
      'src/picture.bin': 'a\0b',
      'test/a.test.js': test('../src/a.js'),
    })
    const remedy = ['--only', '!src/picture.bin']
    await refusedThenMade(
      folder,
      made('node --test'),
      "is a binary file. Leave it out with --only '!src/picture.bin'",
      made('node --test', remedy),
    )
  })

  it('tests of an unusual place are named', async () => {
    const folder = await makeRepository(before, { ...after, 'checks/a.mjs': test('../src/a.js') })
    await refusedThenMade(
      folder,
      made('node checks/a.mjs'),
      'or say where they are with --test-files',
      made('node checks/a.mjs', ['--test-files', 'checks/**']),
    )
  })

  it('a program behind a link is started by its file, with what its package depends on', async () => {
    const folder = await makeRepository(
      { ...before, '.gitignore': 'node_modules\n' },
      { ...after, 'test/a.test.js': "import { a } from '../src/a.js'\nexport default () => a === 2\n" },
    )
    writeFiles(folder, {
      'node_modules/tester/package.json':
        '{ "name": "tester", "bin": "cli.js", "dependencies": { "teller": "1" } }',
      'node_modules/tester/cli.js':
        "const tell = require('teller'); import(process.cwd() + '/test/a.test.js').then((m) => tell(m.default()))\n",
      'node_modules/teller/package.json': '{ "name": "teller" }',
      'node_modules/teller/index.js':
        "module.exports = (ok) => { console.log((ok ? 'ok' : 'not ok') + ' 1 - a is two'); process.exitCode = ok ? 0 : 1 }\n",
    })
    mkdirSync(join(folder, 'node_modules/.bin'))
    symlinkSync('../tester/cli.js', join(folder, 'node_modules/.bin/tester'))
    writeFileSync(join(folder, 'node_modules/.bin/x'), '')
    await refusedThenMade(
      folder,
      made('sh -c tester'),
      "--tests 'node node_modules/tester/…' --include node_modules/tester",
      made('node node_modules/tester/cli.js', ['--include', 'node_modules/tester']),
    )
    const linked = await bench(made('node --test', ['--include', 'node_modules/.bin/tester'], 'three'), {
      cwd: dirname(folder),
    })
    expect(linked.stderr).toContain('lies behind a link')
    const gone = await bench(made('node --test', ['--include', 'node_modules/gone'], 'two'), {
      cwd: dirname(folder),
    })
    expect(gone.stderr).toMatch(/is not in \S*project\. Give a path that is there/)
  })

  needs('python3').it('unittest that finds no test says so, and finds those of a folder', async () => {
    const files = {
      'a.py': 'def a():\n    return 2\n',
      'checks/test_a.py':
        'import unittest\nfrom a import a\n\n\nclass A(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(a(), 2)\n',
    }
    const folder = await makeRepository({ 'a.py': 'def a():\n    return 1\n' }, files)
    await refusedThenMade(
      folder,
      made('python3 -m unittest'),
      'runs no test after the commit, so nothing could grade the task',
      made('python3 -m unittest discover -s checks'),
    )
  })
})
