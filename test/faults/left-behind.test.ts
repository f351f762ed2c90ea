import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runChecks } from '../../src/graders/check.ts'
import { grade } from '../../src/graders/grade.ts'
import { removeTree, removeTreeAsync } from '../../src/sandbox/folders/remove-tree.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../src/schema/task.ts'
import { needs } from '../helpers/house/needs.ts'
import { makeDeep } from '../helpers/machine/deep-folders.ts'
import { tempFolder } from '../helpers/machine/temp.ts'
import { argv } from '../helpers/runs/argv.ts'
import { root } from '../helpers/runs/cli.ts'
import { codeTask, rightSum, sampleTask, sumTests } from '../helpers/runs/sample-task.ts'

/** Files at paths that checks and graders need for their own files, or with names that no folder can hold. */
const inTheWay: [string, Files][] = [
  [
    'files where folders go',
    { tests: 'x', checks: 'x', '.bench': 'x', 'package.json': '{', 'json.py': 'raise SystemExit' },
  ],
  [
    'folders where files go',
    {
      ...{ 'tests/sum.test.mjs/x': 'x', 'checks/sum.test.mjs/x': 'x' },
      ...{ 'tests/check.py/x': 'x', 'checks/examples.txt/x': 'x' },
      ...{ '.bench/job/x': 'x', '.bench/json.py': 'raise SystemExit', '.bench/package.json': '{' },
    },
  ],
  ['invalid file names', { 'a\ud800': 'x', 'a\udfff/b': 'x', ['__proto__']: 'x' }],
]

const javascript = codeTask({
  checks: { 'sum.test.mjs': sumTests },
  spec: { editable: ['**'], checks: { runner: 'node-test', expectTests: 3 } },
})
const python = sampleTask({
  files: { 'solution.py': 'def add(a, b):\n    pass\n' },
  checks: { 'examples.txt': '>>> from solution import add\n>>> add(1, 2)\n3\n' },
  tests: { 'check.py': 'def check(candidate):\n    assert candidate(2, 3) == 5\n' },
  spec: {
    language: 'python',
    entryPoint: 'add',
    editable: ['solution.py', '**'],
    checks: { runner: 'python-doctest', expectTests: 1 },
    graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }],
  },
})
const command = codeTask({
  spec: {
    editable: ['**'],
    graders: [
      { kind: 'tests', runner: 'command', command: ['node', '--test', 'tests/sum.test.mjs'], expectTests: 3 },
    ],
  },
})
const cases: [string, Task, Files][] = [
  ['node', javascript, { 'src/sum.mjs': rightSum }],
  ['python', python, { 'solution.py': 'def add(a, b):\n    return a + b\n' }],
  ['command', command, { 'src/sum.mjs': rightSum }],
]

it.each(cases.flatMap((one) => inTheWay.map(([name, left]) => ({ name, left, one }))))(
  '$one.0 work is judged right, although a program left $name',
  async ({ one: [, task, right], left }) => {
    const signal = new AbortController().signal
    const judge = async (files: Files) => {
      const delivery = { files: { ...files, ...left }, answer: undefined, run: spawnUnsandboxed, signal }
      return (await grade(task, delivery)).passed
    }
    expect(await judge(right)).toBe(true)
    expect(await judge(task.files)).toBe(false)
    const checks = await runChecks(task, { ...right, ...left }, spawnUnsandboxed, signal)
    expect(checks.status).toBe(task.spec.checks ? 'passed' : 'none')
  },
)

const ways = [
  ['at once', removeTree],
  ['in turns', removeTreeAsync],
] as const

it.each(ways)('6,000 folders in each other are removed %s', async (_, remove) => {
  const folder = join(tempFolder(), 'deep')
  makeDeep(folder, 6000)
  expect(await remove(folder)).toBe(true)
})

it.each(ways)('100,000 files in one folder are removed %s, beside a deep one', async (_, remove) => {
  const folder = join(tempFolder(), 'flat')
  makeDeep(folder, 220)
  mkdirSync(join(folder, 'flat'))
  for (let i = 0; i < 100_000; i++) writeFileSync(join(folder, 'flat', `${i}`), '')
  expect(await remove(folder)).toBe(true)
})

// Root may enter closed folders and change owners, so the test also runs as another user.
needs('root', 'setpriv').it(
  'an ordinary user follows no link and removes all that a program left, as root does',
  () => {
    const home = tempFolder()
    chmodSync(home, 0o777)
    const user = ['--reuid=61001', '--regid=61001', '--clear-groups']
    const tests = ['sandbox/process/left-behind', 'sandbox/folders/remove-tree', 'loop/branch/folder']
    const vitest = argv`${join(root, 'node_modules/vitest/vitest.mjs')} run --configLoader=runner
      --maxWorkers=1 --dir test`
    const { status, stdout, stderr } = spawnSync(
      'setpriv',
      [...user, process.execPath, ...vitest, '--reporter=json', ...tests],
      { cwd: root, env: { PATH: process.env.PATH, HOME: home, TMPDIR: home }, encoding: 'utf8' },
    )
    expect(status, stderr).toBe(0)
    const { numFailedTests, numPassedTests } = JSON.parse(stdout.slice(stdout.indexOf('{')))
    expect(numFailedTests).toBe(0)
    expect(numPassedTests).toBeGreaterThan(100)
  },
)
