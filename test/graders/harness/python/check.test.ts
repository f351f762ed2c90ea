import { describe, expect, it } from 'vitest'
import { runChecks } from '../../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../../src/sandbox/process/spawn.ts'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { tableOf } from '../../../helpers/house/tables.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { right, spec, stub, wrong } from './twice.ts'

const check =
  'def check(candidate):\n    assert candidate(2) == 4\n    assert candidate(-1) == -2, "negative"\n'
const grader = { kind: 'tests', runner: 'python-check', expectTests: 1 }
const task = sampleTask({
  files: { 'solution.py': stub },
  tests: { 'check.py': check },
  spec: { ...spec, graders: [grader] },
})
const judge = async (source: string, of = task) => {
  const { scores, passed } = await gradeLeft(of, { files: { 'solution.py': source } })
  return { passed, value: scores[0]?.value, reason: scores[0]?.reason }
}
const failed = { passed: false, value: 0 }

const checkedBy = (lines: string, start = stub) =>
  sampleTask({
    files: { 'solution.py': start },
    tests: { 'check.py': `def check(candidate):\n${lines.replace(/^/gm, '    ')}\n` },
    spec: { ...spec, graders: [grader] },
  })

needs('python3').describe('a check in its own process', () => {
  const echo = 'def twice(x):\n    return x\n'

  it('sends plain values and gets them back', async () => {
    const values = `[None, True, 0, -1, 10**400, 0.1, -0.0, float('inf'), 1j, 'a\\n"\\ud800', b'\\xff', (1, (2,)), [[]],
      {1, 2}, frozenset([3]), {'a': {(1, 2): [3]}, None: 1}, range(1, 9, 2)]`
    const lines = `for value in ${values}:
    got = candidate(value)
    assert got == value and type(got) is type(value), value
assert candidate(float('nan')) != candidate(float('nan'))
assert str(candidate(-0.0)) == '-0.0'`
    expect(await judge(echo, checkedBy(lines))).toMatchObject({ reason: '1 of 1 tests passed' })
  })

  it('sees changes that a call made to its arguments', async () => {
    const source = 'def twice(x, y):\n    x.sort()\n    y["a"] = x\n'
    const lines =
      'x, y = [2, 1], {}\nassert candidate(x, y) is None\nassert x == [1, 2] and y == {"a": [1, 2]}'
    expect((await judge(source, checkedBy(lines))).passed).toBe(true)
  })

  it('catches exceptions of the solution by type and message', async () => {
    const source =
      'class Odd(LookupError): pass\ndef twice(x):\n    if x: raise Odd("odd %s" % x)\n    return b"\\xff".decode()\n'
    const lines = `try: candidate(1)
except KeyError: assert False
except LookupError as error: assert str(error) == 'odd 1' and type(error).__name__ == 'Odd'
try: candidate(0)
except UnicodeDecodeError: return
assert False`
    expect(await judge(source, checkedBy(lines))).toMatchObject({ reason: '1 of 1 tests passed' })
  })

  it('takes helpers from the task, never from the solution', async () => {
    const start = `def half(x):\n    return x / 2\n\n\n${stub}`
    const lines = 'assert half(candidate(3)) == 3'
    expect((await judge(`${start}    return x * 2\n`, checkedBy(lines, start))).passed).toBe(true)
    expect(
      (await judge('def half(x):\n    return 3\ndef twice(x):\n    return 1\n', checkedBy(lines, start)))
        .passed,
    ).toBe(false)
  })

  it.each(tableOf<[string, string, string][]>(import.meta.url, 'failsSolution'))(
    'fails a solution that answers with %s',
    async (_, source, reason) => {
      const result = await judge(source)
      expect(result).toMatchObject(failed)
      expect(result.reason).toContain(reason)
    },
  )
})

needs('python3').describe('python-check', () => {
  it('passes a right solution', async () => {
    expect(await judge(right)).toEqual({ passed: true, value: 1, reason: '1 of 1 tests passed' })
  })

  it.each([
    [
      'a wrong result',
      wrong,
      'AssertionError (tests/check.py:2); the last call was twice(2), which returned 2',
    ],
    ['a message', right.replace('x * 2', 'abs(x) * 2'), 'AssertionError: negative (tests/check.py:3'],
    [
      'an exception',
      `${stub}    return x.y\n`,
      "AttributeError: 'int' object has no attribute 'y' (solution.py:6: return x.y)",
    ],
    ['bad syntax', 'def twice(x:\n', 'solution.py: could not be loaded: SyntaxError'],
    ['another name', 'def thrice(x):\n    return x\n', 'the solution defines no twice'],
    ['endless recursion', `${stub}    return twice(x)\n`, 'RecursionError'],
  ])('reports %s', async (_, source, reason) => {
    const result = await judge(source)
    expect(result).toMatchObject(failed)
    expect(result.reason).toContain(reason)
  })

  it.each([
    ['leaving at import', `${wrong}import os\nos._exit(0)`],
    ['leaving politely at import', `${wrong}import sys\nsys.exit(0)`],
    ['leaving in the call', `${stub}    import os\n    os._exit(0)`],
    ['raising SystemExit in the call', `${stub}    raise SystemExit(0)`],
    ['leaving in an exit handler', `${wrong}import atexit, os\natexit.register(lambda: os._exit(0))`],
    ['defining its own check', `${wrong}def check(candidate):\n    pass\n`],
    [
      'replacing builtins',
      `${wrong}import builtins\nbuiltins.AssertionError = type('E', (Exception,), {})\nbuiltins.exec = lambda *a: None`,
    ],
    [
      'replacing what prints',
      `${wrong}import os, sys, posix\nos.write = posix.write = sys.stdout.write = lambda *a: 9\n`,
    ],
    ['printing a report', `${wrong}print('\\ntoken\\npassed\\t"check"\\t""\\nfinished\\ntoken end')`],
    [
      'changing the tests',
      `${wrong}open('tests/check.py', 'w').write('def check(candidate):\\n    pass\\n')`,
    ],
  ])('fails a solution that cheats by %s', async (_, source) => {
    expect(await judge(source)).toMatchObject(failed)
  })

  it.each([
    ['threads', 'import threading, time\nthreading.Thread(target=time.sleep, args=(1e4,)).start()\n'],
    ['noise', 'print("x" * 100000)\nimport sys\nprint("boo", file=sys.stderr)\n'],
    ['a main part', 'if __name__ == "__main__":\n    raise SystemExit(1)\n'],
    ['dataclasses', 'from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\n'],
  ])('ends with its checks, even if a right solution has %s', async (_, source) => {
    expect(await judge(`${right}${source}`)).toMatchObject({ passed: true })
  })

  it('gives the same random numbers each time', async () => {
    const show = sampleTask({
      files: { 'solution.py': stub },
      tests: {
        'check.py':
          'import random\ndef check(candidate):\n    assert False, f"{candidate(1)} {random.random()}"\n',
      },
      spec: { ...spec, graders: [grader], checks: undefined },
    })
    const source =
      'import random\nseen = random.random()\ndef twice(x):\n    return seen, random.random(), {"a", "b", "c"}\n'
    const reasons = await Promise.all([1, 2].map(async () => (await judge(source, show)).reason))
    expect(reasons[0]).toMatch(/0\.8444218515250481.*0\.8444218515250481/)
    expect(reasons[0]).toBe(reasons[1])
  })

  it('uses its own builtins', async () => {
    const all = sampleTask({
      files: { 'solution.py': stub },
      tests: {
        'check.py': 'def check(candidate):\n    assert all(candidate(x) == 2 * x for x in range(5))\n',
      },
      spec: { ...spec, graders: [grader], checks: undefined },
    })
    expect(await judge(`${wrong}import builtins\nbuiltins.all = lambda items: True\n`, all)).toMatchObject(
      failed,
    )
  })

  it('counts one test per file', async () => {
    const two = sampleTask({
      files: { 'solution.py': stub },
      tests: { 'a.py': check, 'b.py': 'def check(candidate):\n    assert candidate(0) == 1\n' },
      spec: { ...spec, checks: undefined, graders: [{ ...grader, expectTests: 2 }] },
    })
    expect(await judge(right, two)).toMatchObject({ passed: false, value: 0.5 })
  })

  it('ends at the time limit and reports it', async () => {
    const short = sampleTask({
      files: { 'solution.py': stub },
      tests: { 'check.py': check },
      spec: { ...spec, checks: undefined, graders: [{ ...grader, timeoutMs: 500 }] },
    })
    const result = await judge(`${stub}    while True:\n        pass\n`, short)
    expect(result.reason).toMatchSnapshot()
  })
})

describe('doctest', () => {
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
      expect(result.output).toMatchSnapshot()
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
})
