import { describe, expect, it } from 'vitest'
import { readNamedResults } from '../../../src/graders/test-run/named-results.ts'

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
