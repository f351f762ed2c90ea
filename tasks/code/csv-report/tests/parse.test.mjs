import assert from 'node:assert/strict'
import test from 'node:test'
import { parseCsv } from '../src/parse.mjs'

test('both line ends count, and lines without characters are no rows', () => {
  assert.deepEqual(parseCsv('a,b\r\n\r\nc,d\n\n\ne,f\r\n'), [['a', 'b'], ['c', 'd'], ['e', 'f']])
  assert.deepEqual(parseCsv(''), [])
  assert.deepEqual(parseCsv('\n'), [])
  assert.deepEqual(parseCsv('last'), [['last']])
})

test('empty fields are fields', () => {
  assert.deepEqual(parseCsv(',\n,x,\n""\n"",""'), [['', ''], ['', 'x', ''], [''], ['', '']])
})

test('quoted fields keep commas, line ends and doubled quotes', () => {
  assert.deepEqual(parseCsv('"a\nb","c\r\nd",e\n"""",""""""\n'), [['a\nb', 'c\r\nd', 'e'], ['"', '""']])
  assert.deepEqual(parseCsv('"x,y"\r\nz'), [['x,y'], ['z']])
})

test('a quote in a plain field and white space are ordinary', () => {
  assert.deepEqual(parseCsv('3" pipe, "b" ,c\td'), [['3" pipe', ' "b" ', 'c\td']])
  assert.deepEqual(parseCsv('a\rb,c'), [['a\rb', 'c']])
})

test('a byte order mark is dropped at the beginning only', () => {
  assert.deepEqual(parseCsv('\uFEFFa,\uFEFFb'), [['a', '\uFEFFb']])
  assert.deepEqual(parseCsv('\uFEFF"a,b"'), [['a,b']])
})

test('quotes that do not fit are refused', () => {
  for (const text of ['"a', 'x,"a\n', '"a"b', '"a" ,b', 'a\n"b"c', '"a""']) {
    assert.throws(() => parseCsv(text), SyntaxError, JSON.stringify(text))
  }
})
