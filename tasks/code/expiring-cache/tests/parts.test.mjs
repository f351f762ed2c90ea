import assert from 'node:assert/strict'
import test from 'node:test'
import { createExpiry } from '../src/expiry.mjs'
import { createStats } from '../src/stats.mjs'

test('statistics count each kind by itself and round the hit rate', () => {
  const stats = createStats()
  assert.deepEqual(stats.snapshot(), { hits: 0, misses: 0, evictions: 0, expirations: 0, hitRate: 0 })
  stats.hit()
  stats.hit()
  stats.miss()
  stats.evict()
  for (let i = 0; i < 4; i++) stats.expire()
  const first = stats.snapshot()
  assert.deepEqual(first, { hits: 2, misses: 1, evictions: 1, expirations: 4, hitRate: 0.667 })
  stats.miss()
  assert.equal(first.misses, 1)
  assert.equal(stats.snapshot().hitRate, 0.5)
})

test('two statistics do not share counts', () => {
  const one = createStats()
  const other = createStats()
  one.miss()
  assert.equal(other.snapshot().misses, 0)
  assert.equal(one.snapshot().hitRate, 0)
})

test('a deadline takes the own time to live, else the default', () => {
  const expiry = createExpiry(50)
  assert.equal(expiry.deadline(100), 150)
  assert.equal(expiry.deadline(100, undefined), 150)
  assert.equal(expiry.deadline(100, 7), 107)
  assert.equal(expiry.deadline(100, Number.POSITIVE_INFINITY), Number.POSITIVE_INFINITY)
  assert.equal(expiry.expired(150, 149), false)
  assert.equal(expiry.expired(150, 150), true)
  assert.equal(expiry.expired(150, 151), true)
})

test('a bad time to live is refused', () => {
  for (const ttl of [0, -1, Number.NaN, '5', null]) {
    assert.throws(() => createExpiry(ttl), RangeError)
    assert.throws(() => createExpiry(5).deadline(0, ttl), RangeError)
  }
})
