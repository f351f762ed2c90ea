import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureMessage } from '../../../strategies/tools/output-text.ts'
import { hidePlaces, steadyOutput } from '../../../strategies/tools/steady-text.ts'
import { orderVitestOutput } from '../../../strategies/tools/vitest-results.ts'
import { tableOf } from '../../helpers/house/tables.ts'

const places = { workspace: '/tmp/run-1/work space', temporary: ['/tmp'], home: '/home/me' }

describe('the output of a tool', () => {
  it.each(tableOf<[string, string][]>(import.meta.url, 'showsAs'))('shows %j as %j', (text, shown) => {
    expect(hidePlaces(text, places)).toBe(shown)
  })

  it.each([
    ['<object at 0x7f12ab34cd56>', '<object at 0x…>'],
    ['0x00007ffeab34cd56 and 0xdeadbeef', '0x… and 0xdeadbeef'],
    ['took 12.5ms, not 20ms', 'took … ms, not 20ms'],
    [
      'connect ECONNREFUSED 127.0.0.1:43211, not localhost:8080',
      'connect ECONNREFUSED 127.0.0.1:…, not localhost:8080',
    ],
    ["worker 'gw12' crashed, pid 4321", "worker 'gw…' crashed, pid …"],
    ['expected 2026-01-02 to be 2026-01-03', 'expected 2026-01-02 to be 2026-01-03'],
  ])('has a message %j as %j', (text, shown) => {
    expect(failureMessage(text)).toBe(shown)
  })

  it.each([
    [' ✓ test/a.test.mjs (5 tests) 11ms', ' ✓ test/a.test.mjs (5 tests) … ms'],
    ['   × fails after 20ms 3ms (retry x2)', '   × fails after 20ms … ms (retry x2)'],
    ['   Start at  06:14:04', '   Start at  …'],
    ['✔ holds (12ms)', '✔ holds (… ms)'],
    ['===== 2 failed in 10.14s =====', '= 2 failed in … s ='],
    ['== 1 passed in 65.20s (0:01:05) ==', '= 1 passed in … s ='],
    ['✓ built in 1.35s', '✓ built in … s'],
    ['[9:03:11 AM] Projects', '[…] Projects'],
    ['<testcase name="a" time="0.1">time="0.1"', '<testcase name="a" time="…">time="0.1"'],
  ])('has a line %j as %j', (text, shown) => {
    expect(steadyOutput(text)).toBe(shown)
    expect(steadyOutput(shown)).toBe(shown)
  })

  it('is the same after a second time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        expect(steadyOutput(steadyOutput(text))).toBe(steadyOutput(text))
      }),
      { numRuns: 200 },
    )
  })
})

describe('output of vitest', () => {
  const blocks = ['a', 'b', 'c'].map((name) => [
    `stdout | test/${name}.test.mjs > holds\nprinted by ${name}\n`,
    ` ❯ test/${name}.test.mjs (2 tests | 1 failed) 4ms\n   × fails 3ms`,
  ])
  const failures = ['a', 'b', 'c'].map(
    (name, i) => ` FAIL  test/${name}.test.mjs > fails\nError: ${name}\n\n⎯⎯⎯⎯[${i + 1}/3]⎯\n`,
  )
  const errors = ['x', 'y'].map((name) => `⎯⎯⎯⎯ Unhandled Rejection ⎯⎯⎯⎯⎯\nError: ${name}`)
  const output = (order: readonly number[]) =>
    [
      '\n RUN  v4.1.12 /workspace\n',
      ...order.flatMap((i) => blocks[i] as string[]),
      '\n⎯⎯⎯⎯ Failed Tests 3 ⎯⎯⎯⎯⎯⎯⎯\n',
      ...order.map((i) => failures[i] as string),
      '\n⎯⎯⎯⎯⎯⎯ Unhandled Errors ⎯⎯⎯⎯⎯⎯\n\nVitest caught 2 errors.\n',
      ...(order[0] === 0 ? errors : errors.toReversed()),
      '⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯⎯\n',
      ' Test Files  3 failed (3)\n      Tests  3 failed | 3 passed (6)',
    ].join('\n')

  it('is in one order, whatever order the files ran in', () => {
    const ordered = orderVitestOutput(output([0, 1, 2]))
    for (const order of [
      [2, 1, 0],
      [1, 0, 2],
    ])
      expect(orderVitestOutput(output(order)).replace(/\[\d\/3\]/g, '')).toBe(ordered)
    expect(ordered.indexOf('printed by a')).toBeLessThan(ordered.indexOf(' ❯ test/a'))
  })

  it('loses no line but rules and numbers', () => {
    const line = fc.constantFrom(...output([0, 1, 2]).split('\n'), 'x', '', ' FAIL  z', '⎯⎯[4/9]⎯')
    const words = (text: string) =>
      text
        .split('\n')
        .filter((one) => /[^⎯\s]/.test(one) && !/^⎯+\[/.test(one))
        .sort()
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => {
        expect(words(orderVitestOutput(lines.join('\n')))).toEqual(words(lines.join('\n')))
      }),
      { numRuns: 300 },
    )
  })
})
