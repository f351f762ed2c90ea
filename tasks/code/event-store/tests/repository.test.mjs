import assert from 'node:assert/strict'
import test from 'node:test'
import { account } from '../src/account.mjs'
import { ConflictError } from '../src/errors.mjs'
import { createRepository } from '../src/repository.mjs'
import { createStore } from '../src/store.mjs'

/** A model that is not an account: each command `n` gives n events. */
const counter = {
  initial: { log: [] },
  apply: (state, event) => ({ log: [...state.log, event.n] }),
  decide: (state, { n, bad }) => {
    if (bad) throw new TypeError('bad command')
    return Array.from({ length: n }, (_, i) => ({ n: state.log.length + i }))
  },
}

function setUp({ model = counter, snapshotEvery = 3, conflicts = 0 } = {}) {
  const store = createStore()
  const reads = []
  let left = conflicts
  let appends = 0
  const watched = {
    ...store,
    read(...args) {
      reads.push(args)
      return store.read(...args)
    },
    append(stream, events, expected) {
      appends += 1
      if (left > 0) {
        left -= 1
        store.append(stream, [{ n: -1 }], 'any')
      }
      return store.append(stream, events, expected)
    },
  }
  return { store, reads, appends: () => appends, repository: createRepository(watched, model, { snapshotEvery }) }
}

test('commands build on what came before', () => {
  const { repository } = setUp({ model: account, snapshotEvery: 100 })
  assert.deepEqual(repository.load('a'), { state: account.initial, version: 0 })
  repository.execute('a', { type: 'open', limit: 5 })
  assert.deepEqual(repository.execute('a', { type: 'deposit', amount: 4 }), { events: [{ type: 'deposited', amount: 4 }], version: 2 })
  assert.deepEqual(repository.execute('a', { type: 'close' }).version, 4)
  assert.deepEqual(repository.load('a'), { state: { status: 'closed', balance: 0, limit: 5 }, version: 4 })
  assert.equal(repository.snapshot('a'), undefined)
})

test('a snapshot is taken whenever a multiple is reached or stepped over', () => {
  const { repository } = setUp()
  repository.execute('a', { n: 2 })
  assert.equal(repository.snapshot('a'), undefined)
  repository.execute('a', { n: 2 })
  assert.deepEqual(repository.snapshot('a'), { state: { log: [0, 1, 2, 3] }, version: 4 })
  repository.execute('a', { n: 1 })
  assert.equal(repository.snapshot('a').version, 4)
  repository.execute('a', { n: 1 })
  assert.equal(repository.snapshot('a').version, 6)
  repository.execute('a', { n: 7 })
  assert.deepEqual(repository.snapshot('a').version, 13)
  assert.equal(repository.snapshot('b'), undefined)
})

test('loading reads only what came after the snapshot', () => {
  const { repository, reads } = setUp()
  repository.execute('a', { n: 4 })
  repository.execute('a', { n: 1 })
  reads.length = 0
  assert.deepEqual(repository.load('a'), { state: { log: [0, 1, 2, 3, 4] }, version: 5 })
  repository.load('b')
  assert.deepEqual(reads, [['a', 4], ['b', 0]])
})

test('conflicts are tried again from loading, three attempts in all', () => {
  const twice = setUp({ conflicts: 2 })
  assert.deepEqual(twice.repository.execute('a', { n: 1 }), { events: [{ n: 2 }], version: 3 })
  assert.equal(twice.appends(), 3)
  const thrice = setUp({ conflicts: 3 })
  assert.throws(() => thrice.repository.execute('a', { n: 1 }), (error) => error instanceof ConflictError && error.expected === 2 && error.actual === 3)
  assert.equal(thrice.appends(), 3)
})

test('no events append nothing, and other errors are thrown at once', () => {
  const { repository, appends, reads } = setUp()
  assert.deepEqual(repository.execute('a', { n: 0 }), { events: [], version: 0 })
  reads.length = 0
  assert.throws(() => repository.execute('a', { bad: true }), TypeError)
  assert.equal(reads.length, 1)
  assert.equal(appends(), 0)
})

test('states that were handed out change no snapshot', () => {
  const { repository } = setUp()
  repository.execute('a', { n: 3 })
  repository.snapshot('a').state.log.push('x')
  repository.load('a').state.log.push('y')
  assert.deepEqual(repository.snapshot('a').state.log, [0, 1, 2])
  assert.deepEqual(repository.load('a').state.log, [0, 1, 2])
  repository.load('new').state.log.push('z')
  assert.deepEqual(counter.initial, { log: [] })
})

test('snapshotEvery is an integer of at least 1', () => {
  for (const snapshotEvery of [0, -1, 1.5, undefined, '3']) {
    assert.throws(() => createRepository(createStore(), counter, { snapshotEvery }), RangeError)
  }
  const { repository } = setUp({ snapshotEvery: 1 })
  repository.execute('a', { n: 1 })
  assert.equal(repository.snapshot('a').version, 1)
})
