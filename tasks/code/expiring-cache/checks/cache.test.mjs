import assert from 'node:assert/strict'
import test from 'node:test'
import { createCache } from '../src/cache.mjs'

test('the least recently used entry is evicted', () => {
  const cache = createCache({ capacity: 2, now: () => 0 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  assert.deepEqual(cache.keys(), ['c', 'a'])
})

test('an entry expires at its deadline', () => {
  let time = 0
  const cache = createCache({ capacity: 2, now: () => time, ttl: 10 })
  cache.set('a', 1)
  time = 9
  assert.equal(cache.get('a'), 1)
  time = 10
  assert.equal(cache.get('a'), undefined)
})

test('hits and misses are counted', () => {
  const cache = createCache({ capacity: 2, now: () => 0 })
  cache.set('a', 1)
  cache.get('a')
  cache.get('b')
  assert.deepEqual(cache.stats(), { hits: 1, misses: 1, evictions: 0, expirations: 0, hitRate: 0.5 })
})
