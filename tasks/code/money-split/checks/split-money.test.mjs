import assert from 'node:assert/strict'
import test from 'node:test'
import { splitMoney } from '../src/split-money.mjs'

test('the cent left over goes to the first of equals', () => {
  assert.deepEqual(splitMoney(100, [1, 1, 1]), [34, 33, 33])
})

test('shares follow the weights', () => {
  assert.deepEqual(splitMoney(10, [1, 2, 1]), [3, 5, 2])
})

test('a negative amount turns the signs', () => {
  assert.deepEqual(splitMoney(-100, [1, 1, 1]), [-34, -33, -33])
})
