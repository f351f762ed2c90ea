import { describe, expect, it } from 'vitest'
import { readNamedResults } from '../../../src/graders/test-run/named-results.ts'
import { stripTypes } from '../../../src/graders/test-run/run-node-test.ts'
import { gradeLeft } from '../../helpers/graders/grader-contract.ts'
import { sampleTask } from '../../helpers/runs/sample-task.ts'

const outputs: Record<string, [output: string, expected: Record<string, boolean>]> = {
  'TAP of node:test': [
    `TAP version 13
# Subtest: adds
ok 1 - adds
  ---
  duration_ms: 78
  ...
# Subtest: sums
    # Subtest: of two
    not ok 1 - of two
      ---
      ...
    # Subtest: of none
    ok 2 - of none # SKIP
    1..2
not ok 2 - sums
# tests 3`,
    { adds: true, 'sums > of two': false },
  ],
  'the tree of node:test': [
    `✔ adds (1.794571ms)
▶ sums
  ✔ of two (0.4ms)
  ✖ of many (0.1ms)
    Error: x
  ﹣ of none (0.1ms) # SKIP
✖ sums (1.4ms)
ℹ tests 4
✖ failing tests:
test at a.test.js:3:65
✖ of many (0.1ms)`,
    { adds: true, 'sums > of two': true, 'sums > of many': false },
  ],
  'Jest with --verbose': [
    `PASS ./sum.test.js
  adds
    ✓ two numbers (2 ms)
    ✕ strings

Tests: 1 failed, 1 passed, 2 total`,
    { './sum.test.js > adds > two numbers': true, './sum.test.js > adds > strings': false },
  ],
  'Vitest with --reporter=verbose, in colours': [
    ' \u001b[32m✓\u001b[39m sum.test.ts > adds > two 2ms\n × sum.test.ts > adds > none 12ms',
    { 'sum.test.ts > adds > two': true, 'sum.test.ts > adds > none': false },
  ],
  'Vitest as usual, which names files': [' ✓ test/a.test.ts (5 tests) 12ms', { 'test/a.test.ts': true }],
  Mocha: [
    '  adds\n    ✔ two numbers\n    1) strings\n\n  1 passing (5ms)\n  1 failing\n\n  1) adds\n       strings:',
    { 'adds > two numbers': true, 'adds > strings': false },
  ],
  'pytest -v': [
    'test_x.py::T::test_a PASSED       [ 50%]\ntest_x.py::test_b[1-2] FAILED     [100%]\ntest_x.py::test_c SKIPPED (no) [100%]',
    { 'test_x.py::T::test_a': true, 'test_x.py::test_b[1-2]': false },
  ],
  'pytest -rA': [
    'PASSED test_x.py::test_a\nFAILED test_x.py::test_b - assert 1 == 2\nERROR test_x.py::test_c - boom',
    { 'test_x.py::test_a': true, 'test_x.py::test_b': false, 'test_x.py::test_c': false },
  ],
  'unittest -v': [
    'test_a (test_x.T.test_a) ... ok\ntest_b (test_x.T.test_b) ... FAIL\ntest_c (test_x.T) ... ERROR',
    { 'test_a (test_x.T.test_a)': true, 'test_b (test_x.T.test_b)': false, 'test_c (test_x.T)': false },
  ],
  'go test -v': ['--- PASS: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)', { TestA: true, 'TestA/b': false }],
  'cargo test': [
    'test sum::adds ... ok\ntest sum::fails ... FAILED',
    { 'sum::adds': true, 'sum::fails': false },
  ],
  'a name that fails once': ['PASSED a.py::t\nFAILED a.py::t', { 'a.py::t': false }],
  'no runner': ['all is well\n3 passed', {}],
}

describe('names and results are read from', () => {
  it.each(Object.entries(outputs))('%s', (_, [output, expected]) => {
    expect(Object.fromEntries(readNamedResults(output))).toEqual(expected)
  })
})

it.each([
  ['one line', 'x'.repeat(2_000_000)],
  ['nested names', '    # Subtest: a\n'.repeat(60_000)],
  ['deep groups', Array.from({ length: 4000 }, (_, i) => `${' '.repeat(i % 500)}g`).join('\n')],
  ['spaces', ' '.repeat(1_000_000)],
  ['dots', 'a (b) ... ok ... '.repeat(60_000)],
])('1 MB of %s is read in time', (_, output) => {
  const started = performance.now()
  readNamedResults(output)
  expect(performance.now() - started).toBeLessThan(3000)
})

const tests = `import test from 'node:test'
import assert from 'node:assert/strict'
import { add, type Sum } from '../src/add.ts'
const sum: Sum = add
test('adds', () => assert.equal(sum(2, 3), 5))
`
const task = sampleTask({
  files: { 'src/add.ts': '', 'src/sum.ts': 'export type Sum = (a: number, b: number) => number\n' },
  tests: { 'add.test.ts': tests },
  spec: {
    language: 'typescript',
    editable: ['src/add.ts'],
    graders: [{ kind: 'tests', runner: 'node-test', expectTests: 1 }],
  },
})
const judge = async (source: string) => (await gradeLeft(task, { files: { 'src/add.ts': source } })).scores[0]
const head = `import type { Sum } from './sum.ts'\nexport type { Sum } from './sum.ts'\n`

describe('TypeScript tasks', { timeout: 20_000 }, () => {
  it('run on every Node, several files and the tests in TypeScript', async () => {
    expect(await judge(`${head}export const add: Sum = (a, b) => a + b`)).toMatchObject({ value: 1 })
    expect(await judge(`${head}export const add: Sum = (a, b) => a - b`)).toMatchObject({ value: 0 })
  })

  it('report line and column of the source', async () => {
    const source = `${head}export const add = (a: number, b: number): number => { throw new Error('here') }`
    expect((await judge(source))?.reason).toContain('Error: here (src/add.ts:3:62)')
  })

  it("fail with the reason if the solution's types cannot be stripped", async () => {
    const result = await judge('enum A { B }\nexport const add = (a: number, b: number) => a + b')
    expect(result).toMatchObject({ value: 0, tests: { passed: 0, total: 1 } })
    expect(result?.reason).toMatch(/src\/add\.ts is not TypeScript that can run here: .*enum/)
    expect((await judge('const a: = 1'))?.reason).toContain('src/add.ts is not TypeScript')
  })
})

it('stripping types keeps every position', async () => {
  const source =
    'const a: number = 1 as number\ninterface A {\n  b: string\n}\nexport const c = <T,>(x: T): T => x\n'
  const stripped = await stripTypes(source, 'a.ts')
  expect(stripped).toHaveProperty('code')
  const code = (stripped as { code: string }).code
  expect(code).toHaveLength(source.length)
  expect(code.indexOf('export')).toBe(source.indexOf('export'))
})
