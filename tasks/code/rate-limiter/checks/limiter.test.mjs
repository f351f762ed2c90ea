import assert from 'node:assert/strict'
import test from 'node:test'
import { createLimiter } from '../src/limiter.ts'
import { slidingWindow } from '../src/sliding-window.ts'
import { tokenBucket } from '../src/token-bucket.ts'

test('a bucket is refilled over time', () => {
  const bucket = tokenBucket({ capacity: 2, refillPerSecond: 1 })
  assert.deepEqual(bucket.take(0, 2), { allowed: true, remaining: 0, retryAfterMs: 0 })
  assert.deepEqual(bucket.take(0, 1), { allowed: false, remaining: 0, retryAfterMs: 1000 })
  assert.equal(bucket.take(1000, 1).allowed, true)
})

test('a window forgets what is old', () => {
  const window = slidingWindow({ limit: 1, windowMs: 100 })
  assert.equal(window.take(0, 1).allowed, true)
  assert.deepEqual(window.take(40, 1), { allowed: false, remaining: 0, retryAfterMs: 60 })
  assert.equal(window.take(100, 1).allowed, true)
})

test('a limiter names the rules that deny', () => {
  const limiter = createLimiter([
    { name: 'burst', backend: slidingWindow({ limit: 1, windowMs: 100 }) },
    { name: 'steady', backend: tokenBucket({ capacity: 5, refillPerSecond: 1 }) },
  ])
  assert.deepEqual(limiter.check(0), { allowed: true, deniedBy: [], remaining: 0, retryAfterMs: 0 })
  assert.deepEqual(limiter.check(10), { allowed: false, deniedBy: ['burst'], remaining: 0, retryAfterMs: 90 })
})
