import assert from 'node:assert/strict'
import test from 'node:test'
import { evaluate } from '../src/evaluate.mjs'
import { parseFormula } from '../src/formula.mjs'
import { expandRange, formatRef, parseRef } from '../src/refs.mjs'

const cells = { A1: 2, A2: 'text', A3: '', B1: 5, B2: '#DIV/0!', B3: '#CYCLE!', C1: -4 }
const value = (text) => evaluate(parseFormula(text).tree, (ref) => cells[ref] ?? '')
const equal = (text, expected) => assert.equal(value(text), expected, text)

test('references are read in either case, and nothing else is', () => {
  assert.deepEqual(parseRef('a1'), { column: 0, row: 0 })
  assert.deepEqual(parseRef('Z10'), { column: 25, row: 9 })
  assert.deepEqual(parseRef('aB12'), { column: 27, row: 11 })
  assert.deepEqual(parseRef('BA1'), { column: 52, row: 0 })
  assert.deepEqual(parseRef('ZZZ999'), { column: 18277, row: 998 })
  for (const text of ['', 'A', '1', 'A0', 'A01', 'ABCD1', 'A1B', '1A', 'A-1', 'A 1', ' A1', '$A$1', 'Ä1']) {
    assert.equal(parseRef(text), null, text)
  }
})

test('references are written in capitals', () => {
  for (const ref of ['A1', 'Z10', 'AA1', 'AZ7', 'BA3', 'ZZ1', 'AAA2', 'ZZZ999']) assert.equal(formatRef(parseRef(ref)), ref)
  assert.equal(formatRef({ column: 701, row: 0 }), 'ZZ1')
  assert.equal(formatRef({ column: 702, row: 8 }), 'AAA9')
})

test('a range is the rectangle between any two corners, row by row', () => {
  const all = ['B2', 'C2', 'B3', 'C3', 'B4', 'C4']
  for (const [from, to] of [['B2', 'C4'], ['C4', 'B2'], ['B4', 'C2'], ['C2', 'B4']]) assert.deepEqual(expandRange(from, to), all)
  assert.deepEqual(expandRange('Z1', 'AB1'), ['Z1', 'AA1', 'AB1'])
  assert.deepEqual(expandRange('D9', 'D9'), ['D9'])
})

test('a formula tells each reference once, in capitals', () => {
  const refs = (text) => parseFormula(text).refs.toSorted()
  assert.deepEqual(refs('1 + 2'), [])
  assert.deepEqual(refs('b1 + A1 * B1'), ['A1', 'B1'])
  assert.deepEqual(refs('sum(B2:A1, a1, -C3)'), ['A1', 'A2', 'B1', 'B2', 'C3'])
})

test('what is no formula is null', () => {
  for (const text of [
    '', ' ', '1 +', '* 2', '(1', '1)', '1 2', 'A1 B1', 'A', 'A0', 'FOO(1)', 'SUM', 'SUM()', 'SUM(1,)', 'SUM(,1)', 'SUM(1 2)', 'A1:A2', 'A1:A2 + 1',
    'SUM(A1:A2 + 1)', 'SUM((A1:A2))', 'SUM(A1:)', 'SUM(:A1)', 'SUM(1:2)', 'SUM(A1:2)', '1.', '.5', '1..2', '+1', '2A1', '1 & 2', 'SUM 1', 'SUM(A1', '"x"',
  ]) {
    assert.equal(parseFormula(text), null, JSON.stringify(text))
  }
})

test('arithmetic has the usual precedence', () => {
  equal('1+2*3', 7)
  equal('(1 + 2) * 3', 9)
  equal('10 - 4 - 3', 3)
  equal('24 / 4 / 2', 3)
  equal('8 / 4 * 2', 4)
  equal('10 - 2 + 3', 11)
  equal(' - 2 + 5 ', 3)
  equal('--2', 2)
  equal('2 * -3', -6)
  equal('-(1 + 2) - -1', -2)
  equal('2.5 * 2', 5)
  equal('1 - 6 / 3', -1)
})

test('empty cells are 0 in arithmetic, texts and division by zero are errors', () => {
  equal('A3', 0)
  equal('-A3', 0)
  equal('A1 + A3 + B1', 7)
  equal('A2', '#VALUE!')
  equal('-A2', '#VALUE!')
  equal('A2 * 0', '#VALUE!')
  equal('1 / 0', '#DIV/0!')
  equal('1 / A3', '#DIV/0!')
  equal('0 / A1', 0)
})

test('the first error from the left wins', () => {
  equal('B2 + B3', '#DIV/0!')
  equal('B3 + B2', '#CYCLE!')
  equal('A2 + B3', '#VALUE!')
  equal('B3 + A2', '#CYCLE!')
  equal('1 / 0 + A2', '#DIV/0!')
  equal('A2 / 0', '#VALUE!')
  equal('B3 / 0', '#CYCLE!')
  equal('-B3', '#CYCLE!')
  equal('SUM(B3, A2 + 1)', '#CYCLE!')
  equal('MAX(1, A2 + 1, B3)', '#VALUE!')
  equal('COUNT(A1:B3)', '#DIV/0!')
  equal('SUM(A3:B3, B2)', '#CYCLE!')
})

test('functions take numbers and skip texts and empty cells', () => {
  equal('SUM(A1:C1)', 3)
  equal('sum(A1:A3, 10)', 12)
  equal('Min(A1:C1)', -4)
  equal('MAX(A1:C1)', 5)
  equal('MAX(C1)', -4)
  equal('MIN(A1, A3)', 2)
  equal('COUNT(A1:A3, A2, A3, B1)', 2)
  equal('COUNT(A3 + 0, 1 + 1)', 2)
  equal('AVG(A1:C1)', 1)
  equal('AVG(A1:A3, 4)', 3)
  equal('SUM(1, MAX(2, 3)) * 2', 8)
})

test('functions without numbers have their own values', () => {
  equal('SUM(A2:A3)', 0)
  equal('MIN(A2)', 0)
  equal('MAX(A3, A2)', 0)
  equal('COUNT(A2:A3)', 0)
  equal('AVG(A2:A3)', '#DIV/0!')
})
