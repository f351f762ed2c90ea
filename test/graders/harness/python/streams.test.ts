import { expect, it } from 'vitest'
import { runChecks } from '../../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../../src/sandbox/process/spawn.ts'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { tableOf } from '../../../helpers/house/tables.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { judgeTwice, passed } from './judge-twice.ts'
import { right, spec, stub } from './twice.ts'

const source = `
import itertools
log = []
def count():
    for n in itertools.count():
        log.append(n)
        yield n
def broken():
    yield 1
    raise LookupError('no second')
def returning():
    got = yield 1
    return [got, 'end']
class Own:
    def __init__(self): self.left = 2
    def __iter__(self): return self
    def __next__(self):
        if self.left == 0: raise StopIteration
        self.left -= 1
        return [self.left]
shared = iter([1, 2, 3])
kinds = {
    'map': lambda: map(str, [1, 2]), 'filter': lambda: filter(None, [0, 1]), 'zip': lambda: zip([1], 'a'), 'enumerate': lambda: enumerate('a'), 'reversed': lambda: reversed([1, 2]),
    'list': lambda: iter([1, 2]), 'chain': lambda: itertools.chain([1], (2,)), 'own': Own, 'generator': lambda: (n for n in [1, 2]), 'nested': lambda: ((m for m in [n]) for n in [1, 2]),
    'empty': lambda: iter(()), 'count': count, 'broken': broken, 'returning': returning, 'shared': lambda: shared, 'twice': lambda: [shared, shared], 'log': lambda: log,
}
def twice(name, *args): return kinds[name](*args)
`

needs('python3').describe('iterators that a Python solution returns', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'cases'))('%s', async (_, lines) => {
    expect(await judgeTwice(source, lines)).toBe(passed)
  })
})

needs('python3').describe('iterators that a test passes', () => {
  const reader = `
from itertools import islice
kept = []
def twice(numbers, how='list'):
    if how == 'list': return [2 * n for n in numbers]
    if how == 'lazy': return (2 * n for n in numbers)
    if how == 'two': return list(islice(numbers, 2))
    if how == 'keep': return numbers
    if how == 'caught':
        try: list(numbers)
        except LookupError as error: return '%s: %s' % (type(error).__name__, error)
`
  it.each(tableOf<[string, string][]>(import.meta.url, 'cases2'))('%s', async (_, lines) => {
    expect(await judgeTwice(reader, lines)).toBe(passed)
  })
})

const shared = { grading: 'one-process' }
const passedThere = '1 of 1 tests passed in one process with the solution'

needs('python3').describe('a task that says `grading: one-process`', () => {
  it('sees instances, classes and functions of the solution as they are', async () => {
    const source = `class Point:
    def __init__(self, x): self.x = x
    def __eq__(self, other): return self.x == other.x
def twice(x): return Point(2 * x)
`
    const lines = `from solution import Point as Same
assert candidate(2) == Point(4) and isinstance(candidate(2), Same)
class Child(Point):
    pass
assert Child(4) == candidate(2) and candidate(candidate(1).x).x == 4`
    expect(await judgeTwice(source, lines, shared)).toBe(passedThere)
    expect(await judgeTwice(source, lines)).toContain('0 of 1 tests passed. check(twice): ')
  })

  it('has names of its own file where the solution has none', async () => {
    const start = `def half(x):\n    return x / 2\n${stub}`
    const lines = 'assert half(candidate(4)) == 4'
    expect(await judgeTwice('def twice(x): return 2 * x\n', lines, { ...shared, start })).toBe(passedThere)
  })

  it.each([
    ['a wrong result', 'def twice(x): return x', 'AssertionError (tests/check.py:2)'],
    ['an exception', 'def twice(x): return x.y', "'int' object has no attribute 'y' (solution.py:1"],
    ['a solution that cannot be loaded', 'def twice(x:', 'could not be loaded: SyntaxError'],
    ['another name', 'def thrice(x): return x', 'the solution defines no twice'],
    ['a solution that ends', 'import os\nos._exit(0)', 'ended with exit code 0 before its tests had ended'],
    ['a solution that reads its input', 'def twice(x): return int(input())', 'EOFError'],
  ])('still fails %s', async (_, source, reason) => {
    expect(await judgeTwice(source, 'assert candidate(2) == 4', shared)).toContain(reason)
  })

  it('marks its scores', async () => {
    const task = sampleTask({
      files: { 'solution.py': stub },
      tests: { 'check.py': 'def check(candidate):\n    assert candidate(2) == 4\n' },
      spec: { ...spec, ...shared, graders: [{ kind: 'tests', runner: 'python-check', expectTests: 1 }] },
    })
    const { scores } = await gradeLeft(task, { files: { 'solution.py': right } })
    expect(scores).toEqual([
      { name: 'tests', value: 1, reason: passedThere, tests: { passed: 1, total: 1 }, oneProcess: true },
    ])
  })

  it('is the only way there: no value or file of a solution chooses it', async () => {
    const source = `import sys
grading = 'one-process'
class Same:
    grading = one_process = True
    def __eq__(self, other): return True
def twice(x):
    sys.modules['bench_link'].link.channel.write('["list","one-process"]') if x == 'ask' else None
    return Same()`
    expect(await judgeTwice(source, 'assert candidate(2) == 4')).toContain('AssertionError')
    expect(await judgeTwice(source, "assert candidate('ask') == 4")).toContain('cannot be understood')
    expect(await judgeTwice(right, 'assert candidate(2) == 4')).toBe(passed)
  })
})

const reading: [where: string, source: string][] = [
  ['line by line when it is imported', `${right}import sys\nfor line in sys.stdin: print(line)\n`],
  ['as a whole', `${right}import sys\nassert sys.stdin.read() == '' and not sys.stdin.isatty()\n`],
  [
    'by its descriptor',
    `${right}import os\nassert os.read(0, 9) == b'' and open(0, closefd=False).read() == ''\n`,
  ],
  ['with input()', `${right}try: input('how many? ')\nexcept EOFError: pass\nelse: raise ValueError\n`],
  ['in the function', `import sys\ndef twice(x):\n    sys.stdin.readline()\n    return x * 2\n`],
  [
    'in another program',
    `${right}import subprocess\nassert subprocess.run(['cat'], capture_output=True).stdout == b''\n`,
  ],
  ['in its main part', `${right}if __name__ == '__main__':\n    twice(int(input()))\n`],
]

needs('python3').describe('a solution that reads standard input', () => {
  it.each(reading)('%s gets its end at once', async (_, source) => {
    expect(await judgeTwice(source, 'assert candidate(2) == 4', { timeoutMs: 5000 })).toBe(passed)
  })

  it('gets it in visible checks as well', async () => {
    const task = sampleTask({
      files: { 'solution.py': stub },
      checks: { 'examples.txt': '>>> twice(2)\n4\n' },
      spec: { ...spec, checks: { runner: 'python-doctest', expectTests: 1, timeoutMs: 5000 } },
    })
    const source = reading.map(([, text]) => text).join('\n')
    const { signal } = new AbortController()
    expect(await runChecks(task, { 'solution.py': source }, spawnUnsandboxed, signal)).toMatchObject({
      status: 'passed',
    })
  })
})
