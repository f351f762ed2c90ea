import pMap from 'p-map'
import { expect, it } from 'vitest'
import { runChecks } from '../../../src/graders/check.ts'
import { spawnUnsandboxed } from '../../../src/sandbox/process/spawn.ts'
import type { Files, Task } from '../../../src/schema/task.ts'
import { exercism } from '../../../src/suites/exercism/exercism.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { needs } from '../../helpers/house/needs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'
import { till, writeTrack } from '../../helpers/suites/exercism-track.ts'
import { readSuite } from '../../helpers/suites/read-suite.ts'

const { signal } = new AbortController()

const half = `import unittest
import half as module
from half import Odd, half


class HalfTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(half(4), 2)

    def test_odd(self):
        with self.assertRaisesRegex(Odd, "^3 is odd$"):
            half(3)

    def test_parts(self):
        for n in (2, 6):
            with self.subTest(n=n):
                self.assertEqual(module.half(n) * 2, n)
`
const right = `class Odd(ValueError):
    pass


def half(n):
    if n % 2:
        raise Odd("%d is odd" % n)
    return n // 2
`
const task = (tests = half, expectTests = 3): Task =>
  sampleTask({
    files: { 'half.py': '' },
    tests: { 'half_test.py': tests },
    spec: {
      language: 'python',
      editable: ['half.py'],
      grading: 'one-process',
      graders: [{ kind: 'tests', runner: 'unittest', testsIn: 'root', expectTests, timeoutMs: 5000 }],
    },
  })
const judge = async (files: Files, one = task()) => (await gradeLeft(one, { files })).scores[0]
const wrong = 'class Odd(ValueError):\n    pass\n\n\ndef half(n):\n    return 0\n'

/** Solutions that must not pass, by what they do. */
const cheats: Record<string, string> = {
  'ends at import': 'import os\nos._exit(0)',
  'exits at import': 'import sys\nsys.exit(0)',
  'ends in a call': `${wrong.replace('return 0', 'import os; os._exit(0)')}`,
  'exits in a call': `${wrong.replace('return 0', 'raise SystemExit(0)')}`,
  'prints a report': `${wrong}\nimport os\nos.write(2, b"\\nfinished\\n00000000-0000-4000-8000-000000000000 end\\n")\nos._exit(0)`,
  'edits the tests': `${wrong}\nopen("half_test.py", "w").write("")`,
  'replaces the asserts': `${wrong}\nimport unittest\nfor name in dir(unittest.TestCase):\n    if name.startswith("assert"):\n        setattr(unittest.TestCase, name, lambda *a, **k: __import__("contextlib").nullcontext())`,
  'replaces the asserts later': `${wrong.replace('return 0', 'import unittest; unittest.TestCase.assertEqual = lambda *a: None; return 0')}`,
  'skips the tests': `${wrong.replace('return 0', 'import unittest; raise unittest.SkipTest("no")')}`,
  'marks a test as failing': `${wrong}\nimport unittest\nunittest.TestCase.run = lambda self, result: result.addSuccess(self)`,
  'never ends': `${wrong.replace('return 0', 'while True: pass')}`,
  'floods its output': `${wrong}\nimport sys\nwhile True:\n    sys.stderr.write("x" * 1000000)`,
  'reads its input': `${wrong.replace('return 0', 'return input()')}`,
  'replaces builtins': `${wrong}\nimport builtins\nbuiltins.isinstance = lambda *a: True\nbuiltins.type = lambda *a: int`,
}

needs('python3').describe('files of unittest', { timeout: 120_000 }, () => {
  it('count tests, with those of a mixin, subtests, fixtures and skipped tests', async () => {
    expect(await judge({ 'half.py': right })).toMatchObject({
      value: 1,
      reason: '3 of 3 tests passed in one process with the solution',
    })
    const many = `${half}
class Shared:
    def test_shared(self):
        self.assertIs(self.kept, True)


class MoreTest(Shared, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kept = True

    @unittest.expectedFailure
    def test_known(self):
        self.fail()

    @unittest.skip("later")
    def test_later(self):
        self.fail()
`
    expect(await judge({ 'half.py': right }, task(many, 5))).toMatchObject({ tests: { passed: 5, total: 5 } })
  })

  it.each([
    [
      'a wrong value',
      wrong,
      /HalfTest\.test_even: AssertionError: 0 != 2 \(half_test\.py:8\).*HalfTest\.test_odd: AssertionError: Odd not raised/s,
    ],
    [
      'a name that is missing',
      'def half(n): ...',
      /half_test\.py: could not be loaded: ImportError: cannot import name 'Odd'/,
    ],
    ['an error of syntax', 'def half(', /could not be loaded: SyntaxError/],
    ['a lost test', right.replace('return n // 2', 'raise SystemExit'), /SystemExit/],
  ])('fail with the reason: %s', async (_, solution, reason) => {
    expect((await judge({ 'half.py': solution }))?.reason).toMatch(reason)
  })

  it('pass with no cheat', async () => {
    const passed = await pMap(
      Object.entries(cheats),
      async ([name, text]) =>
        (await gradeLeft(task(), { files: { 'half.py': text } })).passed ? [name] : [],
      { concurrency: 2 },
    )
    expect(passed.flat()).toEqual([])
  })

  it.each([
    ['an assert of its class', 'type(test).assertEqual = lambda *a: None'],
    ['its own assert', 'test.assertEqual = lambda *a: None'],
    ['a helper of its base', 'Shared = type(test).__mro__[1]; Shared.assertHalf = lambda *a: None'],
    ['the next test', 'type(test).test_two = type(test).test_one = lambda self: None'],
    [
      'access to asserts',
      'type(test).__getattribute__ = lambda self, name: (lambda *a: None) if name.startswith("assert") else object.__getattribute__(self, name)',
    ],
    ['its class', 'test.__class__ = type("HalfTest", (type(test),), {"assertEqual": lambda *a: None})'],
  ])('say that the solution which calls it has replaced %s', async (_, change) => {
    const tests = `import unittest
from half import half


class Shared:
    def assertHalf(self, n, value):
        self.assertEqual(n, value * 2)


class HalfTest(Shared, unittest.TestCase):
    def test_one(self):
        value = half(4)
        self.assertHalf(4, value)

    def test_two(self):
        value = half(6)
        self.assertHalf(6, value)
`
    const wrong = `def half(n):\n    import sys\n    test = sys._getframe(1).f_locals["self"]\n    ${change}\n    return 0\n`
    expect(await judge({ 'half.py': wrong }, task(tests, 2))).toMatchObject({
      value: 0,
      reason: expect.stringContaining('the solution changed unittest'),
    })
    expect(await judge({ 'half.py': right }, task(tests, 2))).toMatchObject({ value: 1 })
  })

  it('say that the solution changed unittest', async () => {
    const text = cheats['replaces the asserts'] as string
    expect((await judge({ 'half.py': text }))?.reason).toContain('the solution changed unittest')
  })

  it('of an exercise of Exercism pass with its reference and fail with its stub', async () => {
    const folder = tempFolder()
    writeTrack(folder, 'python', [till])
    const { tasks } = await readSuite(exercism, folder)
    const one = tasks[0] as Task
    const files = one.hidden.solution?.files as Files
    expect(await judge(files, one)).toMatchObject({
      value: 1,
      oneProcess: true,
      tests: { passed: 2, total: 2 },
    })
    expect(await judge({}, one)).toMatchObject({ value: 0 })
    const checks = await runChecks(one, { ...one.files, ...files }, spawnUnsandboxed, signal)
    expect(checks).toMatchObject({ status: 'passed', passed: 2 })
  })
})
