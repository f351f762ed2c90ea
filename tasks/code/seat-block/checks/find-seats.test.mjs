import assert from 'node:assert/strict'
import test from 'node:test'
import { findSeats } from '../src/find-seats.mjs'

test('takes the tightest block that is large enough', () => {
  assert.equal(findSeats('#..#...#', 2), 1)
})

test('gives -1 when no block is large enough', () => {
  assert.equal(findSeats('#...#', 4), -1)
})

test('sits at the right end of a block at the right end of the row', () => {
  assert.equal(findSeats('##....', 2), 4)
})
