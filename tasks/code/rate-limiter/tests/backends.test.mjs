import assert from 'node:assert/strict'
import test from 'node:test'
import { slidingWindow } from '../src/sliding-window.ts'
import { tokenBucket } from '../src/token-bucket.ts'

const yes = (remaining) => ({ allowed: true, remaining, retryAfterMs: 0 })
const no = (remaining, retryAfterMs) => ({ allowed: false, remaining, retryAfterMs })

test('a bucket begins full, whatever the first time is', () => {
  const bucket = tokenBucket({ capacity: 3, refillPerSecond: 1 })
  assert.deepEqual(bucket.take(-5000, 3), yes(0))
  assert.deepEqual(bucket.take(-4500, 1), no(0, 500))
})

test('a bucket is refilled in fractions and shows whole tokens', () => {
  const bucket = tokenBucket({ capacity: 10, refillPerSecond: 4 })
  assert.deepEqual(bucket.take(1000, 10), yes(0))
  assert.deepEqual(bucket.peek(1625, 2), yes(2))
  assert.deepEqual(bucket.take(1625, 3), no(2, 125))
  assert.deepEqual(bucket.take(1750, 3), yes(0))
})

test('a bucket never holds more than its capacity', () => {
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 100 })
  bucket.take(0, 1)
  assert.deepEqual(bucket.peek(99_999, 2), yes(2))
  assert.deepEqual(bucket.take(99_999, 3), no(2, Number.POSITIVE_INFINITY))
  assert.deepEqual(bucket.take(99_999, 2), yes(0))
})

test('the wait for a bucket is rounded up', () => {
  const bucket = tokenBucket({ capacity: 3, refillPerSecond: 3 })
  bucket.take(0, 3)
  assert.deepEqual(bucket.peek(0, 1), no(0, 334))
  assert.deepEqual(bucket.peek(0, 3), no(0, 1000))
  assert.equal(bucket.peek(333, 1).allowed, false)
  assert.equal(bucket.peek(334, 1).allowed, true)
})

test('a window counts until just before an entry is as old as the window', () => {
  const window = slidingWindow({ limit: 3, windowMs: 100 })
  assert.deepEqual(window.take(0, 2), yes(1))
  assert.deepEqual(window.take(50, 1), yes(0))
  assert.deepEqual(window.take(99, 1), no(0, 1))
  assert.deepEqual(window.take(100, 2), yes(0))
  assert.deepEqual(window.peek(149, 1), no(0, 1))
  assert.deepEqual(window.peek(150, 1), yes(1))
})

test('the wait for a window ends when enough has left it', () => {
  const window = slidingWindow({ limit: 4, windowMs: 100 })
  window.take(0, 1)
  window.take(10, 2)
  window.take(30, 1)
  assert.deepEqual(window.peek(40, 1), no(0, 60))
  assert.deepEqual(window.peek(40, 2), no(0, 70))
  assert.deepEqual(window.peek(40, 3), no(0, 70))
  assert.deepEqual(window.peek(40, 4), no(0, 90))
  assert.deepEqual(window.peek(40, 5), no(0, Number.POSITIVE_INFINITY))
  assert.deepEqual(window.peek(100, 2), no(1, 10))
})

test('a refused request takes nothing', () => {
  const window = slidingWindow({ limit: 2, windowMs: 100 })
  window.take(0, 1)
  window.take(1, 2)
  assert.deepEqual(window.take(2, 1), yes(0))
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 1 })
  bucket.take(0, 1)
  bucket.take(0, 2)
  assert.deepEqual(bucket.take(0, 1), yes(0))
})

test('looking takes nothing', () => {
  for (const backend of [slidingWindow({ limit: 2, windowMs: 9 }), tokenBucket({ capacity: 2, refillPerSecond: 1 })]) {
    for (let i = 0; i < 5; i++) assert.deepEqual(backend.peek(0, 2), yes(2))
    assert.deepEqual(backend.take(0, 1), yes(1))
    assert.deepEqual(backend.peek(0, 1), yes(1))
  }
})

test('time never runs backwards', () => {
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 1 })
  bucket.take(1000, 2)
  bucket.peek(1500, 1)
  assert.deepEqual(bucket.peek(0, 1), no(0, 500))
  assert.deepEqual(bucket.peek(2000, 1), yes(1))
  const window = slidingWindow({ limit: 1, windowMs: 100 })
  window.peek(50, 1)
  assert.deepEqual(window.take(0, 1), yes(0))
  assert.deepEqual(window.peek(20, 1), no(0, 100))
  assert.deepEqual(window.peek(149, 1), no(0, 1))
  assert.deepEqual(window.peek(150, 1), yes(1))
})

test('bad options and costs are refused', () => {
  for (const bad of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => tokenBucket({ capacity: bad, refillPerSecond: 1 }), RangeError)
    assert.throws(() => tokenBucket({ capacity: 1, refillPerSecond: bad }), RangeError)
    assert.throws(() => slidingWindow({ limit: bad, windowMs: 1 }), RangeError)
    assert.throws(() => slidingWindow({ limit: 1, windowMs: bad }), RangeError)
  }
  assert.throws(() => tokenBucket({ capacity: 1.5, refillPerSecond: 1 }), RangeError)
  assert.equal(tokenBucket({ capacity: 1, refillPerSecond: 0.5 }).take(0, 1).allowed, true)
  for (const backend of [slidingWindow({ limit: 2, windowMs: 9 }), tokenBucket({ capacity: 2, refillPerSecond: 1 })]) {
    for (const cost of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => backend.peek(0, cost), RangeError)
      assert.throws(() => backend.take(0, cost), RangeError)
    }
  }
})
