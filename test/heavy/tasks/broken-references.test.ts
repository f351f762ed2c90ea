import { expect, it } from 'vitest'
import { proveTasks } from '../../../src/loop/proof/prove-tasks.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Task } from '../../../src/schema/task.ts'
import { needs } from '../../helpers/house/needs.ts'
import { codeTask, rightSum, sampleTask, sumTests } from '../../helpers/runs/sample-task.ts'

const { signal } = new AbortController()
const once = { run: spawnUnsandboxed, signal, concurrency: 1, twice: false, generate: 0, seed: 1 }

const javascript = (text: string, tests = sumTests) =>
  codeTask({ solution: { files: { 'src/sum.mjs': text } }, tests: { 'sum.test.mjs': tests } })

const python = (text: string): Task =>
  sampleTask({
    files: { 'x.py': '' },
    tests: { 'check.py': 'def check(candidate):\n    assert candidate(2) == 4\n' },
    solution: { files: { 'x.py': text } },
    spec: {
      language: 'python',
      output: 'function',
      entryPoint: 'twice',
      editable: ['x.py'],
      graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1, timeoutMs: 20_000 }],
    },
  })

const unfinished = 'its reference solution does not complete the hidden tests'
const unloaded = 'its reference solution cannot be loaded'

needs('python3').describe('the proof of a task', () => {
  const rows: [how: string, task: Task, what: string, details: RegExp][] = [
    [
      'ends itself at import',
      javascript(`process.exit(3)\n${rightSum}`),
      unfinished,
      /^the solution ended \(exit code 3\) before it had answered$/,
    ],
    [
      'ends itself in a call',
      javascript('export const add = () => process.exit(0), double = add'),
      unfinished,
      /^the solution ended \(exit code 0\) before it had answered, in the test "adds"$/,
    ],
    [
      'ends itself by os._exit',
      python('import os\nos._exit(0)\n'),
      unfinished,
      /^the solution ended \(exit code 0\)/,
    ],
    ['raises SystemExit', python('raise SystemExit\n'), unloaded, /x\.py: could not be loaded: SystemExit/],
    ['has an error of syntax', javascript('export const ='), unloaded, /src\/sum\.mjs: could not be loaded/],
    [
      'is right, but its tests lack a file',
      javascript(rightSum, `import './gone.mjs'\n${sumTests}`),
      'its hidden tests do not run for its reference solution',
      /sum\.test\.mjs: could not be loaded: .*gone\.mjs/,
    ],
  ]
  it.each(rows)('says what happened to a reference that %s', async (_, task, what, details) => {
    const [proof] = await proveTasks([task], once)
    expect(proof).toMatchObject({ state: 'failed', reference: { passed: [false] }, faults: [{ what }] })
    expect(proof?.faults[0]?.details).toMatch(details)
  })
})
