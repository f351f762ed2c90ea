import assert from 'node:assert/strict'
import test from 'node:test'
import { parseCsv } from '../src/parse.mjs'
import { report } from '../src/report.mjs'

test('rows are split into fields', () => {
  assert.deepEqual(parseCsv('a,b\n1,2\n'), [['a', 'b'], ['1', '2']])
})

test('a quoted field may hold commas and quotes', () => {
  assert.deepEqual(parseCsv('"a, ""b""",c'), [['a, "b"', 'c']])
})

test('the report sums per group and tells problems', () => {
  assert.deepEqual(report('city,amount\nOslo,2\nBergen,1.5\nOslo,x\n', { by: 'city', sum: 'amount' }), {
    csv: 'city,count,amount\nOslo,1,2.00\nBergen,1,1.50\n',
    problems: [{ row: 3, message: 'amount: not a number: "x"' }],
  })
})
