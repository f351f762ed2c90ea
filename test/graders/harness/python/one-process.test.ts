import { expect, it } from 'vitest'
import { gradeLeft } from '../../../helpers/graders/grader-contract.ts'
import { needs } from '../../../helpers/house/needs.ts'
import { sampleTask } from '../../../helpers/runs/sample-task.ts'
import { judgeTwice, passed } from './judge-twice.ts'
import { right, spec, stub } from './twice.ts'

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
