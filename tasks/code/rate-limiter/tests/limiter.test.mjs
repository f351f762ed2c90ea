import assert from 'node:assert/strict'
import test from 'node:test'
import { createLimiter } from '../src/limiter.ts'
import { slidingWindow } from '../src/sliding-window.ts'
import { tokenBucket } from '../src/token-bucket.ts'

function setUp() {
  const window = slidingWindow({ limit: 2, windowMs: 100 })
  const bucket = tokenBucket({ capacity: 3, refillPerSecond: 1 })
  const limiter = createLimiter([{ name: 'window', backend: window }, { name: 'bucket', backend: bucket }])
  return { window, bucket, limiter }
}

test('a request is taken from all rules or from none', () => {
  const { window, bucket, limiter } = setUp()
  assert.deepEqual(limiter.check(0, 2), { allowed: true, deniedBy: [], remaining: 0, retryAfterMs: 0 })
  assert.equal(bucket.peek(0, 1).remaining, 1)
  assert.deepEqual(limiter.check(0, 1), { allowed: false, deniedBy: ['window'], remaining: 0, retryAfterMs: 100 })
  assert.equal(bucket.peek(0, 1).remaining, 1)
  assert.deepEqual(limiter.check(100, 2), { allowed: false, deniedBy: ['bucket'], remaining: 1, retryAfterMs: 900 })
  assert.equal(window.peek(100, 1).remaining, 2)
  assert.deepEqual(limiter.check(100), { allowed: true, deniedBy: [], remaining: 0, retryAfterMs: 0 })
})

test('all rules that deny are named in order, with the longest wait', () => {
  const { limiter } = setUp()
  limiter.check(0, 2)
  assert.deepEqual(limiter.check(50, 2), { allowed: false, deniedBy: ['window', 'bucket'], remaining: 0, retryAfterMs: 950 })
  assert.deepEqual(limiter.check(50, 3).retryAfterMs, Number.POSITIVE_INFINITY)
})

test('rules need to be there, each with its own name', () => {
  assert.throws(() => createLimiter([]), RangeError)
  const backend = slidingWindow({ limit: 1, windowMs: 1 })
  assert.throws(() => createLimiter([{ name: 'a', backend }, { name: 'b', backend }, { name: 'a', backend }]), RangeError)
  const { limiter } = setUp()
  assert.throws(() => limiter.check(0, 0), RangeError)
  assert.equal(limiter.check(0, 2).allowed, true)
})
