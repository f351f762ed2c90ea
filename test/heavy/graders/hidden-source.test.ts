import { expect, it } from 'vitest'
import type { GraderSpec } from '../../../src/schema/grader-spec.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { needs } from '../../helpers/house/needs.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'
import { bare, secretLines } from '../../helpers/suites/leaks.ts'

type Runner = Extract<GraderSpec, { kind: 'tests' }>['runner']

const nodeTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { twice } from './x.mjs'
test('a value', () => {
  assert.equal(twice(2), 4)
})
test('a truth', () => assert.ok(twice(7) === 14))
`
const jest = `import { twice } from './x.mjs'
test('a value', () => {
  expect(twice(2)).toBe(4)
  expect(twice(7)).toBe(14)
})
`
const check = `def check(candidate):
    for number in (2, 7):
        assert candidate(number) == number * 2
`
const unittest = `import unittest
from x import twice


class TwiceTest(unittest.TestCase):
    def test_value(self):
        self.assertEqual(twice(2), 4)
        self.assertEqual(twice(7), 14)
`
const wrong = {
  'x.mjs': 'export const twice = () => 0\n',
  'x.py': 'def twice(n):\n    return 0\n',
}

/** A runner, a hidden test, and what its reason must state. */
const rows: [name: string, runner: Runner, test: [string, string], states: RegExp, oneProcess?: true][] = [
  ['node-test', 'node-test', ['x.test.mjs', nodeTest], /a value: .*0 !== 4 \(.*:5:10\)/s],
  ['jest', 'jest', ['x.test.mjs', jest], /a value: .*Expected: 4\s+Received: 0 \(x\.test\.mjs:3:/s],
  ['python-check', 'python-check', ['check.py', check], /check\(twice\): AssertionError \(check\.py:3\)/],
  [
    'python-check in one process',
    'python-check',
    ['check.py', check],
    /AssertionError \(check\.py:3\)/,
    true,
  ],
  [
    'unittest',
    'unittest',
    ['x_test.py', unittest],
    /test_value: AssertionError: 0 != 4 \(x_test\.py:7\)/,
    true,
  ],
  [
    'a command of unittest',
    'command',
    ['x_test.py', unittest],
    /"x_test\.py", line 7.*AssertionError: 0 != 4/s,
  ],
  ['a command of node:test', 'command', ['x.test.mjs', nodeTest], /0 !== 4/],
]

needs('python3').describe('the reason of a failed hidden test', { timeout: 60_000 }, () => {
  it.each(rows)(
    'states test and values, and no line of the test: %s',
    async (_, runner, test, states, oneProcess) => {
      const [path, text] = test
      const [file, language] = path.endsWith('.py')
        ? (['x.py', 'python'] as const)
        : (['x.mjs', 'javascript'] as const)
      const command =
        language === 'python' ? ['python3', '-m', 'unittest', 'x_test'] : [process.execPath, '--test', path]
      const task = sampleTask({
        files: { [file]: '' },
        tests: { [path]: text },
        spec: {
          language,
          output: 'function',
          entryPoint: 'twice',
          editable: [file],
          ...(oneProcess && { grading: 'one-process' }),
          graders: [
            {
              kind: 'tests',
              runner,
              testsIn: 'root',
              expectTests: 1,
              timeoutMs: 20_000,
              ...(runner === 'command' && { command }),
            },
          ],
        },
      })
      const reason = (await gradeLeft(task, { files: { [file]: wrong[file] } })).scores[0]?.reason ?? ''
      expect(reason).toMatch(states)
      const lines = secretLines(task).filter(({ line }) => bare(reason).includes(line))
      expect(lines).toEqual([])
    },
  )
})
