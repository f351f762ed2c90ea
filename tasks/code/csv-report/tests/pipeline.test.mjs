import assert from 'node:assert/strict'
import test from 'node:test'
import { toRecords } from '../src/records.mjs'
import { report } from '../src/report.mjs'
import { summarise } from '../src/summary.mjs'

test('records take typed columns by trimmed names', () => {
  const rows = [[' b ', 'skip', 'a'], ['1.50', 'x', ' t '], [' -2 ', 'y', ''], ['', 'z', 'u'], ['  ', '', 'v']]
  assert.deepEqual(toRecords(rows, { a: 'text', b: 'number' }), {
    records: [{ a: ' t ', b: 1.5 }, { a: '', b: -2 }, { a: 'u', b: null }, { a: 'v', b: null }],
    problems: [],
  })
})

test('a missing column is named, the first in the order of the types', () => {
  assert.throws(() => toRecords([['a']], { a: 'text', c: 'text', b: 'number' }), { message: 'missing column: c' })
  assert.throws(() => toRecords([], { a: 'text' }), { message: 'missing column: a' })
})

test('rows with problems are told and left out', () => {
  const rows = [['a', 'b', 'c'], ['1', '2', '3'], ['1', '2'], ['1', ' x ', 'y'], ['1', '2', '3', '4'], ['1', '2', '-'], ['0', '0', '0']]
  assert.deepEqual(toRecords(rows, { c: 'number', b: 'number' }), {
    records: [{ c: 3, b: 2 }, { c: 0, b: 0 }],
    problems: [
      { row: 2, message: 'expected 3 fields, found 2' },
      { row: 3, message: 'c: not a number: "y"' },
      { row: 4, message: 'expected 3 fields, found 4' },
      { row: 5, message: 'c: not a number: "-"' },
    ],
  })
  assert.deepEqual(toRecords([['a'], [' x ']], { a: 'number' }).problems, [{ row: 1, message: 'a: not a number: " x "' }])
})

test('only plain decimal numbers are numbers', () => {
  for (const text of ['1.', '.5', '+1', '1e3', '0x10', '1,5', '--1', '1 2', 'Infinity']) {
    assert.equal(toRecords([['n'], [text]], { n: 'number' }).problems.length, 1, text)
  }
  assert.deepEqual(toRecords([['n'], ['007.250']], { n: 'number' }).records, [{ n: 7.25 }])
})

test('groups are counted, summed, rounded and sorted', () => {
  const records = [
    { k: 'b', n: 0.1 }, { k: 'b', n: 0.2 }, { k: 'a', n: 0.3 }, { k: 'z', n: 5 }, { k: 'B', n: 0.3 }, { k: 'm', n: -1 }, { k: 'z', n: null },
  ]
  assert.deepEqual(summarise(records, { by: 'k', sum: 'n' }), [
    { key: 'z', count: 2, total: 5 },
    { key: 'B', count: 1, total: 0.3 },
    { key: 'a', count: 1, total: 0.3 },
    { key: 'b', count: 2, total: 0.3 },
    { key: 'm', count: 1, total: -1 },
  ])
  assert.deepEqual(summarise([], { by: 'k', sum: 'n' }), [])
  assert.deepEqual(summarise([{ k: 'x', n: null }], { by: 'k', sum: 'n' }), [{ key: 'x', count: 1, total: 0 }])
})

test('the report quotes what needs it and nothing else', () => {
  const text = 'name,"sum, net"\n"a ""b""",1\n"c,d",2\n"e\nf",3\nplain text,4\n'
  assert.deepEqual(report(text, { by: 'name', sum: 'sum, net' }), {
    csv: 'name,count,"sum, net"\nplain text,1,4.00\n"e\nf",1,3.00\n"c,d",1,2.00\n"a ""b""",1,1.00\n',
    problems: [],
  })
})

test('the report of a header alone is a header, and totals have two decimals', () => {
  assert.deepEqual(report('x,y\n', { by: 'x', sum: 'y' }), { csv: 'x,count,y\n', problems: [] })
  assert.equal(report('y,x\r\n1000.126,q\r\n0.5,r\r\n', { by: 'x', sum: 'y' }).csv, 'x,count,y\nq,1,1000.13\nr,1,0.50\n')
  assert.throws(() => report('x,z\n', { by: 'x', sum: 'y' }), { message: 'missing column: y' })
})
