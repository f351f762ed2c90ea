import assert from 'node:assert/strict'
import test from 'node:test'
import { createStore } from '../src/store.mjs'

const e = (n) => ({ type: 'e', n })

test('streams have their own versions and one common order', () => {
  const store = createStore()
  assert.equal(store.version('a'), 0)
  store.append('a', [e(1)], 0)
  assert.equal(store.append('b', [e(2), e(3)], 0), 2)
  assert.equal(store.append('a', [e(4)], 1), 2)
  assert.equal(store.version('a'), 2)
  assert.deepEqual(store.all(), [
    { position: 1, stream: 'a', version: 1, event: e(1) },
    { position: 2, stream: 'b', version: 1, event: e(2) },
    { position: 3, stream: 'b', version: 2, event: e(3) },
    { position: 4, stream: 'a', version: 2, event: e(4) },
  ])
  assert.deepEqual(store.all(2).map(({ position }) => position), [3, 4])
  assert.deepEqual(store.all(4), [])
  assert.deepEqual(store.read('b').map(({ version }) => version), [1, 2])
  assert.deepEqual(store.read('b', 2), [])
  assert.deepEqual(store.read('c'), [])
})

test('a conflict tells both versions and writes nothing', () => {
  const store = createStore()
  store.append('a', [e(1)], 0)
  for (const expected of [0, 2]) {
    assert.throws(() => store.append('a', [e(2)], expected), { name: 'ConflictError', stream: 'a', expected, actual: 1 })
  }
  assert.throws(() => store.append('new', [e(2)], 1), { name: 'ConflictError', stream: 'new', expected: 1, actual: 0 })
  assert.equal(store.version('a'), 1)
  assert.equal(store.all().length, 1)
  assert.equal(store.append('a', [e(2)], 'any'), 2)
})

test('an empty list is checked and writes nothing', () => {
  const store = createStore()
  assert.equal(store.append('a', [], 0), 0)
  store.append('a', [e(1)], 0)
  assert.equal(store.append('a', [], 1), 1)
  assert.throws(() => store.append('a', [], 0), { name: 'ConflictError' })
  assert.equal(store.all().length, 1)
})

test('stored events are deep copies', () => {
  const store = createStore()
  const event = { type: 'e', deep: { n: 1 } }
  store.append('a', [event], 0)
  event.deep.n = 2
  store.read('a')[0].event.deep.n = 3
  store.all()[0].event.deep.n = 4
  assert.equal(store.read('a')[0].event.deep.n, 1)
  assert.equal(store.all()[0].event.deep.n, 1)
})
