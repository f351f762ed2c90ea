import assert from 'node:assert/strict'
import test from 'node:test'
import { account } from '../src/account.mjs'
import { createRepository } from '../src/repository.mjs'
import { createStore } from '../src/store.mjs'

test('events are read back with their versions', () => {
  const store = createStore()
  assert.equal(store.append('a', [{ type: 'x' }, { type: 'y' }], 0), 2)
  assert.deepEqual(store.read('a', 1), [{ version: 2, event: { type: 'y' } }])
})

test('an account may go down to its limit', () => {
  const state = { status: 'open', balance: 10, limit: 5 }
  assert.deepEqual(account.decide(state, { type: 'withdraw', amount: 15 }), [{ type: 'withdrawn', amount: 15 }])
  assert.throws(() => account.decide(state, { type: 'withdraw', amount: 16 }), { rule: 'over-limit' })
})

test('a repository executes commands and takes snapshots', () => {
  const repository = createRepository(createStore(), account, { snapshotEvery: 2 })
  repository.execute('a', { type: 'open', limit: 0 })
  assert.equal(repository.snapshot('a'), undefined)
  assert.equal(repository.execute('a', { type: 'deposit', amount: 7 }).version, 2)
  assert.deepEqual(repository.snapshot('a'), { state: { status: 'open', balance: 7, limit: 0 }, version: 2 })
})
