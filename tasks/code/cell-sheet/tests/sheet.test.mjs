import assert from 'node:assert/strict'
import test from 'node:test'
import { createSheet } from '../src/sheet.mjs'

function filled(inputs) {
  const sheet = createSheet()
  for (const [ref, input] of Object.entries(inputs)) sheet.set(ref, input)
  return sheet
}

test('inputs are numbers, texts, formulas or nothing', () => {
  const sheet = filled({ a1: ' 12 ', A2: '-1.50', A3: ' a text ', A4: '=1+', A5: '#DIV/0!', A6: '1e3', A7: '= 2 ', A8: '-', A9: '5.' })
  const values = ['A1', 'a2', 'A3', 'A4', 'A5', 'A6', 'A7', 'A8', 'A9', 'A10'].map((ref) => sheet.get(ref))
  assert.deepEqual(values, [12, -1.5, 'a text', '#PARSE!', '#VALUE!', '1e3', 2, '-', '5.', ''])
  assert.equal(sheet.source('A1'), '12')
  assert.equal(sheet.source('a4'), '=1+')
  assert.equal(sheet.source('A7'), '= 2')
  assert.equal(sheet.source('A99'), '')
  sheet.set('A1', '  ')
  assert.equal(sheet.get('A1'), '')
  assert.equal(sheet.source('A1'), '')
})

test('what is no reference is refused', () => {
  const sheet = createSheet()
  for (const ref of ['', 'A', 'A0', '1A', 'A1:A2', ' A1']) {
    assert.throws(() => sheet.set(ref, '1'), RangeError)
    assert.throws(() => sheet.get(ref), RangeError)
    assert.throws(() => sheet.source(ref), RangeError)
  }
})

test('a change runs through all that depends on it and is told in order', () => {
  const sheet = filled({ B10: '=A1+1', AA1: '=B2*2', B2: '=B10+A1', C1: '=SUM(A1:B2)', D5: '=7' })
  assert.deepEqual(sheet.set('a1', '3'), ['A1', 'C1', 'AA1', 'B2', 'B10'])
  assert.deepEqual([sheet.get('B10'), sheet.get('B2'), sheet.get('AA1'), sheet.get('C1')], [4, 7, 14, 10])
})

test('only cells whose value changed are told', () => {
  const sheet = filled({ A1: '2', A2: '=A1*0', A3: '=A2+1', A4: '=A1' })
  assert.deepEqual(sheet.set('A1', '5'), ['A1', 'A4'])
  assert.deepEqual(sheet.set('A1', '=2+3'), [])
  assert.deepEqual(sheet.set('A1', '5.0'), [])
  assert.deepEqual(sheet.set('A1', ''), ['A1', 'A4'])
  assert.deepEqual(sheet.set('A1', '0'), ['A1'])
  assert.deepEqual(sheet.set('Z9', ''), [])
})

test('a formula that is replaced lets go of what it used', () => {
  const sheet = filled({ A1: '1', B1: '=A1', C1: '=B1' })
  sheet.set('B1', '=D1')
  assert.deepEqual(sheet.set('A1', '9'), ['A1'])
  assert.deepEqual(sheet.set('D1', '4'), ['B1', 'C1', 'D1'])
  sheet.set('B1', 'text')
  assert.equal(sheet.get('C1'), '#VALUE!')
  assert.deepEqual(sheet.set('D1', '6'), ['D1'])
})

test('errors run on and go away again', () => {
  const sheet = filled({ A1: '0', B1: '=6/A1', C1: '=B1+1', D1: '=COUNT(B1:C1)' })
  assert.deepEqual([sheet.get('B1'), sheet.get('C1'), sheet.get('D1')], ['#DIV/0!', '#DIV/0!', '#DIV/0!'])
  assert.deepEqual(sheet.set('A1', '2'), ['A1', 'B1', 'C1', 'D1'])
  assert.deepEqual([sheet.get('B1'), sheet.get('C1'), sheet.get('D1')], [3, 4, 2])
  sheet.set('A1', '=(')
  assert.deepEqual([sheet.get('A1'), sheet.get('D1')], ['#PARSE!', '#PARSE!'])
})

test('all cells of a cycle say so, and a broken cycle is calculated anew', () => {
  const sheet = filled({ A1: '=B1', B1: '=SUM(C1:C2)' })
  assert.deepEqual(sheet.set('C2', '=A1+1'), ['A1', 'B1', 'C2'])
  assert.deepEqual(['A1', 'B1', 'C2'].map(sheet.get), ['#CYCLE!', '#CYCLE!', '#CYCLE!'])
  assert.deepEqual(sheet.set('C1', '5'), ['C1'])
  assert.deepEqual(sheet.set('C2', '1'), ['A1', 'B1', 'C2'])
  assert.deepEqual(['A1', 'B1', 'C2'].map(sheet.get), [6, 6, 1])
})

test('a cell that uses itself is a cycle', () => {
  const sheet = createSheet()
  assert.deepEqual(sheet.set('A1', '=A1'), ['A1'])
  assert.equal(sheet.get('A1'), '#CYCLE!')
  sheet.set('B2', '=COUNT(A1:C3)')
  assert.equal(sheet.get('B2'), '#CYCLE!')
  assert.deepEqual(sheet.set('A1', '1'), ['A1'])
  assert.equal(sheet.get('B2'), '#CYCLE!')
})

test('cells behind a cycle are no part of it', () => {
  const sheet = filled({ A1: '=A2', A2: '=A1', D1: '=1/0', B1: '=D1+A1', B2: '=A1+D1', B3: '=B2' })
  assert.deepEqual(['B1', 'B2', 'B3'].map(sheet.get), ['#DIV/0!', '#CYCLE!', '#CYCLE!'])
  sheet.set('E1', '=E2+B1')
  assert.deepEqual(sheet.set('E2', '=E1'), ['E1', 'E2'])
  assert.deepEqual(['E1', 'E2'].map(sheet.get), ['#CYCLE!', '#CYCLE!'])
  assert.deepEqual(sheet.set('A2', '3'), ['A1', 'A2', 'B2', 'B3'])
  assert.deepEqual(['A1', 'B1', 'B2', 'E1'].map(sheet.get), [3, '#DIV/0!', '#DIV/0!', '#CYCLE!'])
})

test('long chains and wide fans are quick', () => {
  const sheet = createSheet()
  for (let row = 80; row > 1; row--) sheet.set(`A${row}`, `=A${row - 1}+A${row - 1}`)
  for (let row = 1; row <= 80; row++) sheet.set(`B${row}`, '=A1+A2')
  sheet.set('C1', '=SUM(B1:B80)')
  assert.equal(sheet.set('A1', '1').length, 161)
  assert.equal(sheet.get('A80'), 2 ** 79)
  assert.equal(sheet.get('C1'), 240)
})

test('two sheets share nothing', () => {
  const one = filled({ A1: '1', B1: '=A1' })
  const other = filled({ B1: '=A1' })
  assert.deepEqual(one.set('A1', '2'), ['A1', 'B1'])
  assert.equal(other.get('A1'), '')
  assert.equal(other.get('B1'), 0)
})
