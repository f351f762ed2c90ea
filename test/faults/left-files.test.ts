import { expect, it } from 'vitest'
import { runChecks } from '../../src/graders/check.ts'
import { grade } from '../../src/graders/grade.ts'
import { spawnUnsandboxed } from '../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../src/schema/task.ts'
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
