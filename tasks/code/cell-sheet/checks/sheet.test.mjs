import assert from 'node:assert/strict'
import test from 'node:test'
import { formatRef, parseRef } from '../src/refs.mjs'
import { createSheet } from '../src/sheet.mjs'

test('references are columns and rows', () => {
  assert.deepEqual(parseRef('B3'), { column: 1, row: 2 })
  assert.equal(formatRef({ column: 26, row: 0 }), 'AA1')
})

test('formulas follow the cells that they use', () => {
  const sheet = createSheet()
  sheet.set('A1', '2')
  sheet.set('A2', '=A1 * 3 + SUM(A1:A1)')
  assert.equal(sheet.get('A2'), 8)
  assert.deepEqual(sheet.set('A1', '5'), ['A1', 'A2'])
  assert.equal(sheet.get('A2'), 20)
})

test('a cell that refers to itself is an error', () => {
  const sheet = createSheet()
  sheet.set('A1', '=B1')
  sheet.set('B1', '=A1 + 1')
  assert.equal(sheet.get('A1'), '#CYCLE!')
})
