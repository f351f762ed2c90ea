import assert from 'node:assert/strict'
import test from 'node:test'
import { findSeats } from '../src/find-seats.mjs'

test('a later block that is tighter wins', () => {
  assert.equal(findSeats('#....#..#...#', 2), 6)
  assert.equal(findSeats('....#...#', 3), 5)
})

test('of equal blocks the leftmost wins', () => {
  assert.equal(findSeats('#...#...#', 2), 1)
  assert.equal(findSeats('#..#..', 2), 1)
})

test('an exact fit is enough', () => {
  assert.equal(findSeats('#...#', 3), 1)
  assert.equal(findSeats('.', 1), 0)
})

test('a block one seat too small is not enough', () => {
  assert.equal(findSeats('..#..#..', 3), -1)
  assert.equal(findSeats('####', 1), -1)
  assert.equal(findSeats('', 1), -1)
})

test('a block at the left end is filled from the left', () => {
  assert.equal(findSeats('....#', 2), 0)
})

test('a block at the right end is filled from the right', () => {
  assert.equal(findSeats('#....', 3), 2)
  assert.equal(findSeats('#...#.....', 4), 6)
})

test('a row that is all free is filled from the left', () => {
  assert.equal(findSeats('.....', 2), 0)
})

test('a block that only nearly reaches the right end is filled from the left', () => {
  assert.equal(findSeats('#....#', 2), 1)
  assert.equal(findSeats('#...#..#', 3), 1)
})

test('every character but a dot is a taken seat', () => {
  assert.equal(findSeats('x..o _...', 3), 6)
  assert.equal(findSeats('a b', 1), -1)
})

test('a count that is not a positive integer is refused', () => {
  for (const count of [0, -1, 1.5, Number.NaN, '2', undefined]) {
    assert.throws(() => findSeats('....', count), RangeError)
  }
  assert.throws(() => findSeats('', 0), RangeError)
})
