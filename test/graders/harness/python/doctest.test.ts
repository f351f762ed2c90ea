import { expect, it } from 'vitest'
import { runChecks } from '../../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../../src/sandbox/process/spawn.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { right, spec, stub, wrong } from './twice.ts'

const examples = `>>> twice(2)
4

>>> twice('a') == "aa"

>>> twice([1])
[1,1]

>>> twice(None)
Traceback (most recent call last):
TypeError: unsupported

>>> for i in range(2):
...     print(twice(i))
0
2
`
const task = sampleTask({
  files: { 'solution.py': stub },
  checks: { 'examples.txt': examples },
  spec: { ...spec, checks: { runner: 'python-doctest', expectTests: 5 } },
})
const checks = (source: string) =>
  runChecks(task, { 'solution.py': source }, spawnUnsandboxed, new AbortController().signal)

needs('python3').describe('python-doctest', () => {
  it('passes examples by value, by comparison, by error and by printed text', async () => {
    expect(await checks(right)).toEqual({ status: 'passed', passed: 5, total: 5, output: '' })
  })

  it('accepts a byte order mark and Windows line ends', async () => {
    const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`
    const own = { ...task, checks: { 'examples.txt': windows(examples) } }
    const files = { 'solution.py': windows(right) }
    expect(await runChecks(own, files, spawnUnsandboxed, new AbortController().signal)).toMatchObject({
      status: 'passed',
      passed: 5,
    })
  })

  it('reports the expected and the actual result', async () => {
    const result = await checks(wrong)
    expect(result).toMatchObject({ status: 'failed', passed: 0, total: 5 })
    expect(result.output).toBe(
      [
        'twice(2): expected 4, got 2',
        'twice(\'a\') == "aa": expected True, got False',
        'twice([1]): expected [1,1], got [1]',
        'twice(None): expected TypeError, got None',
        'for i in range(2):\n    print(twice(i)): expected 0\n2, got 0\n1',
      ].join('\n'),
    )
  })

  it('distinguishes 1 from True, and values of different types', async () => {
    const truth = sampleTask({
      files: { 'solution.py': stub },
      checks: { 'examples.txt': '>>> twice(1)\nTrue\n\n>>> twice(2)\n2\n' },
      spec: { ...spec, checks: { runner: 'python-doctest', expectTests: 2 } },
    })
    const files = { 'solution.py': 'def twice(x):\n    return 1 if x == 1 else "2"\n' }
    const result = await runChecks(truth, files, spawnUnsandboxed, new AbortController().signal)
    expect(result).toMatchObject({ status: 'failed', passed: 0 })
  })

  it('fails a solution that exits early', async () => {
    expect(await checks(`${right}import os\nos._exit(0)`)).toMatchObject({
      status: 'failed',
      passed: 0,
      total: 5,
    })
  })
})
