import assert from 'node:assert/strict'
import test from 'node:test'
import { splitMoney } from '../src/split-money.mjs'

test('an even split leaves nothing over', () => {
  assert.deepEqual(splitMoney(90, [1, 1, 1]), [30, 30, 30])
  assert.deepEqual(splitMoney(1000, [3, 7]), [300, 700])
})

test('cents left over go by the fraction lost, not by the order', () => {
  assert.deepEqual(splitMoney(10, [1, 4, 2]), [1, 6, 3])
  assert.deepEqual(splitMoney(5, [10, 1, 9]), [3, 0, 2])
  assert.deepEqual(splitMoney(100, [10, 13, 14]), [27, 35, 38])
})

test('cents left over go by the fraction lost, not by the weight', () => {
  assert.deepEqual(splitMoney(3, [4, 1, 1]), [2, 1, 0])
  assert.deepEqual(splitMoney(7, [7, 7, 2]), [3, 3, 1])
})

test('several cents left over go one to a party', () => {
  assert.deepEqual(splitMoney(5, [1, 1, 1]), [2, 2, 1])
  assert.deepEqual(splitMoney(3, [1, 1, 1, 1]), [1, 1, 1, 0])
})

test('a weight of 0 gets nothing', () => {
  assert.deepEqual(splitMoney(7, [0, 1, 0, 1]), [0, 4, 0, 3])
  assert.deepEqual(splitMoney(9, [0, 5]), [0, 9])
})

test('one party gets all', () => {
  assert.deepEqual(splitMoney(123456789, [17]), [123456789])
})

test('a negative amount mirrors the positive one and holds no negative zero', () => {
  assert.deepEqual(splitMoney(-5, [10, 1, 9]), [-3, 0, -2])
  assert.ok(Object.is(splitMoney(-1, [1, 1])[1], 0))
  assert.deepEqual(splitMoney(-7, [0, 1, 0, 1]), [0, -4, 0, -3])
})

test('nothing splits into nothing', () => {
  assert.deepEqual(splitMoney(0, [1, 2]), [0, 0])
})

test('the shares always add up to the amount', () => {
  for (let cents = -40; cents <= 40; cents++) {
    for (const weights of [[3, 1, 2], [7, 11, 13, 2], [1, 0, 5], [6, 6, 6, 6, 6, 1]]) {
      const shares = splitMoney(cents, weights)
      assert.equal(shares.reduce((sum, share) => sum + share, 0), cents)
      const total = weights.reduce((sum, weight) => sum + weight, 0)
      shares.forEach((share, i) => {
        assert.ok(Math.abs(share - (cents * weights[i]) / total) < 1)
      })
    }
  }
})

test('large amounts are exact and the weights stay as they were', () => {
  const weights = [999_999, 1_000_000, 1]
  assert.deepEqual(splitMoney(1_000_000_000, weights), [499_999_500, 500_000_000, 500])
  assert.deepEqual(weights, [999_999, 1_000_000, 1])
})

test('amounts and weights that cannot be split are refused', () => {
  for (const cents of [1.5, Number.NaN, Number.POSITIVE_INFINITY, '10']) {
    assert.throws(() => splitMoney(cents, [1]), RangeError)
  }
  for (const weights of [[], [0, 0], [1, -1], [2, -1], [0.5, 0.5], [1, Number.NaN], ['1'], null, 3]) {
    assert.throws(() => splitMoney(10, weights), RangeError)
  }
})
