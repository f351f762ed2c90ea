import assert from 'node:assert/strict'
import test from 'node:test'
import { createCache } from '../src/cache.mjs'

function setUp(options = {}) {
  const clock = { time: 1000 }
  const cache = createCache({ capacity: 3, now: () => clock.time, ...options })
  return { cache, clock }
}

test('overwriting renews value, deadline and place and evicts nothing', () => {
  const { cache, clock } = setUp({ ttl: 10 })
  for (const key of ['a', 'b', 'c']) cache.set(key, key)
  clock.time += 6
  cache.set('a', 'A')
  assert.deepEqual(cache.keys(), ['a', 'c', 'b'])
  clock.time += 6
  assert.deepEqual(cache.keys(), ['a'])
  assert.equal(cache.get('a'), 'A')
  assert.equal(cache.stats().evictions, 0)
})

test('overwriting an expired key in a full cache counts nothing', () => {
  const { cache, clock } = setUp()
  cache.set('a', 1, 5)
  cache.set('b', 2, 5)
  cache.set('c', 3)
  clock.time += 5
  cache.set('a', 9)
  assert.deepEqual(cache.stats(), { hits: 0, misses: 0, evictions: 0, expirations: 0, hitRate: 0 })
  assert.deepEqual(cache.keys(), ['a', 'c'])
  assert.equal(cache.sweep(), 1)
})

test('room is made of all expired entries before any live one goes', () => {
  const { cache, clock } = setUp()
  cache.set('old', 1)
  cache.set('x', 2, 5)
  cache.set('y', 3, 5)
  clock.time += 5
  cache.set('new', 4)
  assert.deepEqual(cache.keys(), ['new', 'old'])
  const { evictions, expirations } = cache.stats()
  assert.deepEqual([evictions, expirations], [0, 2])
})

test('expired entries stay until room is needed', () => {
  const { cache, clock } = setUp()
  cache.set('x', 1, 5)
  clock.time += 5
  cache.set('a', 2)
  cache.set('b', 3)
  assert.equal(cache.stats().expirations, 0)
  assert.equal(cache.size(), 2)
  cache.set('c', 4)
  assert.equal(cache.stats().expirations, 1)
  assert.equal(cache.size(), 3)
  cache.set('d', 5)
  assert.deepEqual(cache.keys(), ['d', 'c', 'b'])
  assert.equal(cache.stats().evictions, 1)
})

test('getting renews the place but not the deadline', () => {
  const { cache, clock } = setUp({ ttl: 10 })
  cache.set('a', 1)
  cache.set('b', 2)
  clock.time += 9
  assert.equal(cache.get('a'), 1)
  assert.deepEqual(cache.keys(), ['a', 'b'])
  clock.time += 1
  assert.equal(cache.get('a'), undefined)
  assert.deepEqual(cache.stats(), { hits: 1, misses: 1, evictions: 0, expirations: 1, hitRate: 0.5 })
  assert.equal(cache.get('a'), undefined)
  assert.deepEqual(cache.stats(), { hits: 1, misses: 2, evictions: 0, expirations: 1, hitRate: 0.333 })
})

test('looking changes and counts nothing', () => {
  const { cache, clock } = setUp()
  cache.set('a', 1, 5)
  cache.set('b', 2)
  assert.equal(cache.has('a'), true)
  assert.deepEqual(cache.keys(), ['b', 'a'])
  clock.time += 5
  assert.equal(cache.has('a'), false)
  assert.equal(cache.has('zzz'), false)
  assert.equal(cache.size(), 1)
  assert.deepEqual(cache.keys(), ['b'])
  assert.deepEqual(cache.stats(), { hits: 0, misses: 0, evictions: 0, expirations: 0, hitRate: 0 })
  assert.equal(cache.sweep(), 1)
})

test('deleting tells whether the entry was alive', () => {
  const { cache, clock } = setUp()
  cache.set('a', 1)
  cache.set('b', 2, 5)
  clock.time += 5
  assert.equal(cache.delete('a'), true)
  assert.equal(cache.delete('a'), false)
  assert.equal(cache.delete('b'), false)
  assert.equal(cache.stats().expirations, 1)
  assert.equal(cache.delete('b'), false)
  assert.equal(cache.stats().expirations, 1)
  assert.equal(cache.size(), 0)
  assert.equal(cache.sweep(), 0)
})

test('undefined is a value, and keys are compared as in a Map', () => {
  const { cache } = setUp()
  cache.set(1, undefined)
  cache.set('1', 'text')
  assert.equal(cache.get(1), undefined)
  assert.equal(cache.get('1'), 'text')
  assert.equal(cache.stats().hits, 2)
  assert.equal(cache.stats().misses, 0)
  assert.equal(cache.delete(1), true)
})

test('bad options are refused, and a bad time to live changes nothing', () => {
  for (const capacity of [0, -1, 1.5, '2', undefined]) {
    assert.throws(() => createCache({ capacity, now: () => 0 }), RangeError)
  }
  assert.throws(() => createCache({ capacity: 1, now: () => 0, ttl: 0 }), RangeError)
  const { cache } = setUp({ capacity: 1 })
  cache.set('a', 1)
  assert.throws(() => cache.set('b', 2, -1), RangeError)
  assert.throws(() => cache.set('a', 2, Number.NaN), RangeError)
  assert.deepEqual(cache.keys(), ['a'])
  assert.equal(cache.get('a'), 1)
  cache.set('b', 2)
  assert.deepEqual(cache.keys(), ['b'])
})
