import { describe, expect, it } from 'vitest'
import { sourceHider } from '../../../src/graders/test-run/hide-source.ts'

const python = `import unittest
from x import twice


def test_plain():
    given = 3
    expected = [
        'one value that is long',
        6,
    ]
    assert [twice(given), 1] == expected, "of 3"


class T(unittest.TestCase):
    def test_method(self):
        self.assertEqual(twice(4), 8, "of 4")
`
const node = `import assert from 'node:assert/strict'
test('a truth', () => assert.ok(twice(0)))
test('longer', () => {
  assert.ok(
    twice(1) === 2 &&
      twice(0) === 0,
  )
  assert.deepEqual(twice(3), [
    'one value that is long',
    6,
  ])
})
`
const hide = sourceHider({ 'test_x.py': python, 'x.test.mjs': node })

/** What a runner prints, and what is left of it. */
const printed: Record<string, [text: string, left: string]> = {
  pytest: [
    `__________ test_plain __________
    def test_plain():
        given = 3
        expected = [
            'one value that is long',
            6,
        ]
>       assert [twice(given), 1] == expected, "of 3"
E       AssertionError: of 3
E       assert [3, 1] == ['one value that is long', 6]
test_x.py:11: AssertionError`,
    `__________ test_plain __________
  …
E       AssertionError: of 3
E       assert [3, 1] == ['one value that is long', 6]
test_x.py:11: AssertionError`,
  ],
  unittest: [
    `  File "test_x.py", line 16, in test_method
    self.assertEqual(twice(4), 8, "of 4")
    ^^^^^^^^^^^^^^^^^~~~~~~~~~~~^^^^^^^^^
AssertionError: 4 != 8 : of 4`,
    `  File "test_x.py", line 16, in test_method
  …
AssertionError: 4 != 8 : of 4`,
  ],
  Jest: [
    `    Expected: 2
    Received: 0
      3 | test('longer', () => {
    > 4 |   assert.ok(
        |          ^
      5 |     twice(1) === 2 &&
      at Object.<anonymous> (x.test.mjs:4:10)`,
    `    Expected: 2
    Received: 0
  …
      at Object.<anonymous> (x.test.mjs:4:10)`,
  ],
  'node:assert, of a part of a line': [
    'a truth: The expression evaluated to a falsy value:\n  assert.ok(twice(0)) (tests/x.test.mjs:2:30)\nb: lost',
    'a truth: The expression evaluated to a falsy value:\n  … (tests/x.test.mjs:2:30)\nb: lost',
  ],
  'node:assert, of several lines': [
    `error: |-
    The expression evaluated to a falsy value:
      assert.ok(
        twice(1) === 2 &&
          twice(0) === 0,
      )
  code: 'ERR_ASSERTION'`,
    `error: |-
    The expression evaluated to a falsy value:
  …
  code: 'ERR_ASSERTION'`,
  ],
}

describe('source lines of hidden tests', () => {
  it.each(Object.entries(printed))('are not shown by what is left of %s', (_, [text, left]) => {
    expect(hide(text)).toBe(left)
  })

  it.each([
    ["+   'one value that is long',\n-   6,\n    6,"],
    ['HalfTest.test_even: AssertionError: 0 != 2 (half_test.py:8)'],
    ['a: Error: here (src/x.mjs:1:2)\n    at twice (src/x.mjs:1:2)'],
    ["# Subtest: longer\nnot ok 1 - longer\n  expected: 4\n  'one value that is long',"],
  ])('are not found in values, names and positions: %j', (text) => {
    expect(hide(text)).toBe(text)
  })

  it('are found in time that grows with the text', () => {
    const long = `${'assert '.repeat(20_000)}\n${' ('.repeat(100_000)}\n${'~^'.repeat(100_000)}x\n`.repeat(3)
    const started = performance.now()
    hide(long)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
