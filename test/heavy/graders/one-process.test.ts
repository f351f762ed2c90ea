import { expect, it } from 'vitest'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { bench } from '../../helpers/runs/cli.ts'
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
const kinds: Readonly<Record<string, [right: string, wrong: string, compared?: string]>> = {
  plain: [
    '(x, [1.5, None], {"a": {2}}, b"b", range(3), 1j)',
    '(x, [1.5, 0], {"a": {2}}, b"b", range(3), 1j)',
  ],
  numbers: ['(Fraction(x, 3), Decimal("0.1"))', '(Fraction(x, 3), Decimal("0.2"))'],
  collections: [
    '(deque([x]), Counter("aab"), OrderedDict(a=1), array("i", [1]), SimpleNamespace(a=x))',
    '(deque([x]), Counter("abb"), OrderedDict(a=1), array("i", [1]), SimpleNamespace(a=x))',
  ],
  dates: ['(date(2026, 1, x), timedelta(days=x))', '(date(2026, 1, x), timedelta(days=3))'],
  names: ['(UUID(int=x), PurePosixPath("a"))', '(UUID(int=x), PurePosixPath("b"))'],
  iterators: ['(i * i for i in range(x))', '(i + 1 for i in range(x))', 'list'],
  views: ['{"a": x}.items()', '{"a": 3}.items()', 'sorted'],
}
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
