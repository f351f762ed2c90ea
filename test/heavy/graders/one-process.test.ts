import { expect, it } from 'vitest'
import type { GraderSpec } from '../../../src/schema/grader-spec.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'
import { bare, secretLines } from '../../helpers/suites/leaks.ts'
import { answer, type Texts, writeTexts, yaml } from '../../suites/native-texts.ts'

/** The texts of a Python task whose reference is this function `f(x)` and whose check has this body. */
function pythonTexts(id: string, solution: string, check: string, more = ''): Texts {
  return {
    'task.yaml': yaml(
      id,
      `output: function
language: python
entryPoint: f
editable: [solution.py]
${more}graders: [{ kind: tests, runner: python-check, expectTests: 1 }]
`,
    ),
    'instruction.md': 'Write f.\n',
    'files/solution.py': 'def f(x):\n    """A value."""\n',
    'tests/check.py': `def check(candidate):\n    ${check.replaceAll('\n', '\n    ')}\n`,
    'solution/solution.py': solution,
  }
}

/** For each kind of value an expression of the solution, and what the test compares it with. */
const kinds: Readonly<Record<string, [right: string, wrong: string, compared?: string]>> = tableOf(
  import.meta.url,
  'kinds',
)
const imports = `from array import array
from collections import Counter, OrderedDict, deque
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import PurePosixPath
from types import SimpleNamespace
from uuid import UUID
`

it('bench tasks check proves a suite with all kinds of Python values, and a wrong value of each kind fails', async () => {
  const folder = tempFolder()
  for (const [name, [right, wrong, compared = '']] of Object.entries(kinds))
    for (const [id, value] of [
      [`${name}-right`, right],
      [`${name}-wrong`, wrong],
    ] as const)
      writeTexts(
        folder,
        `suite/${id}`,
        pythonTexts(
          id,
          `${imports}\n\ndef f(x):\n    return ${value}\n`,
          `${imports}x = 2\nassert ${compared}(candidate(x)) == ${compared}(${right})`,
        ),
      )
  const args = ['tasks', 'check', `native:${folder}/suite`, '--quick', '--json']
  const { code, stdout } = await bench(args)
  expect(code).toBe(1)
  const proofs: { task: string; state: string; reason: string }[] = JSON.parse(stdout)
  const found = new Map(proofs.map(({ task, state, reason }) => [task, `${state} ${reason}`]))
  for (const name of Object.keys(kinds)) {
    expect(found.get(`suite/${name}-right`)).toMatch(/^proved/)
    expect(found.get(`suite/${name}-wrong`)).toMatch(/^failed its reference fails/)
  }
})

it('bench tasks and bench tasks check say that a task is graded in one process, which tests of instances need', async () => {
  const folder = tempFolder()
  const solution = 'class Point:\n    pass\n\n\ndef f(x):\n    return Point()\n'
  const check = 'assert isinstance(candidate(1), Point)'
  writeTexts(folder, 'suite/shared', pythonTexts('shared', solution, check, 'grading: one-process\n'))
  const shown = await bench(['tasks', `native:${folder}/suite/shared`])
  expect(shown.stdout).toContain('grading: one-process. The hidden tests run in the process of the solution')
  const { code, stdout } = await bench(['tasks', 'check', `native:${folder}/suite`])
  expect(code, stdout).toBe(0)
  expect(stdout).toMatch(/one process/)
  expect(stdout).toContain('suite/shared')
})

it.each([
  [
    'of an unknown word',
    'grading: two-processes\n',
    /"two-processes" is not allowed. Leave it out: then tests and solution have a process each/,
  ],
  ['of a task without tests', 'grading: one-process\n', /no grader runs tests in a process of their own/],
])('a useless grading is refused: %s', async (_, grading, reason) => {
  const folder = tempFolder()
  writeTexts(folder, 'suite/riddle', { ...answer, 'task.yaml': `${answer['task.yaml']}${grading}` })
  const { code, stdout, stderr } = await bench(['tasks', 'check', `native:${folder}/suite`])
  expect(code).toBe(2)
  expect(stdout + stderr).toMatch(reason)
})

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
