import assert from 'node:assert/strict'
import test from 'node:test'
import { account } from '../src/account.mjs'

const none = { status: 'none', balance: 0, limit: 0 }
const open = { status: 'open', balance: 10, limit: 5 }
const closed = { status: 'closed', balance: 0, limit: 5 }
const rule = (state, command, expected) =>
  assert.throws(() => account.decide(state, command), { name: 'RuleError', rule: expected })

test('opening needs a new account and a limit', () => {
  assert.deepEqual(account.initial, none)
  assert.deepEqual(account.decide(none, { type: 'open', limit: 0 }), [{ type: 'opened', limit: 0 }])
  for (const limit of [-1, 1.5, '1', undefined]) rule(none, { type: 'open', limit }, 'bad-amount')
  rule(open, { type: 'open', limit: -1 }, 'already-open')
  rule(closed, { type: 'open', limit: 1 }, 'already-open')
})

test('depositing needs an open account and an amount', () => {
  assert.deepEqual(account.decide(open, { type: 'deposit', amount: 1 }), [{ type: 'deposited', amount: 1 }])
  for (const amount of [0, -1, 0.5, Number.NaN, '1', undefined]) rule(open, { type: 'deposit', amount }, 'bad-amount')
  rule(none, { type: 'deposit', amount: 0 }, 'not-open')
  rule(closed, { type: 'deposit', amount: 1 }, 'not-open')
})

test('withdrawing stops at the limit', () => {
  assert.deepEqual(account.decide(open, { type: 'withdraw', amount: 15 }), [{ type: 'withdrawn', amount: 15 }])
  rule(open, { type: 'withdraw', amount: 16 }, 'over-limit')
  rule({ ...open, balance: -5 }, { type: 'withdraw', amount: 1 }, 'over-limit')
  rule(open, { type: 'withdraw', amount: 0 }, 'bad-amount')
  rule(open, { type: 'withdraw', amount: -3 }, 'bad-amount')
  rule(open, { type: 'withdraw', amount: 99.5 }, 'bad-amount')
  rule(closed, { type: 'withdraw', amount: 99 }, 'not-open')
})

test('closing pays out what is there', () => {
  assert.deepEqual(account.decide(open, { type: 'close' }), [{ type: 'withdrawn', amount: 10 }, { type: 'closed' }])
  assert.deepEqual(account.decide({ ...open, balance: 1 }, { type: 'close' })[0], { type: 'withdrawn', amount: 1 })
  assert.deepEqual(account.decide({ ...open, balance: 0 }, { type: 'close' }), [{ type: 'closed' }])
  rule({ ...open, balance: -1 }, { type: 'close' }, 'in-debt')
  rule(none, { type: 'close' }, 'not-open')
  rule(closed, { type: 'close' }, 'not-open')
})

test('unknown commands are refused, unknown events ignored', () => {
  rule(none, { type: 'rename' }, 'unknown-command')
  rule(open, { type: 'toString' }, 'unknown-command')
  assert.deepEqual(account.apply(open, { type: 'renamed' }), open)
})

test('events give new states and leave the old ones', () => {
  const before = Object.freeze({ ...open })
  assert.deepEqual(account.apply(Object.freeze({ ...none }), { type: 'opened', limit: 9 }), { status: 'open', balance: 0, limit: 9 })
  assert.deepEqual(account.apply(before, { type: 'deposited', amount: 3 }), { status: 'open', balance: 13, limit: 5 })
  assert.deepEqual(account.apply(before, { type: 'withdrawn', amount: 12 }), { status: 'open', balance: -2, limit: 5 })
  assert.deepEqual(account.apply(before, { type: 'closed' }), { status: 'closed', balance: 10, limit: 5 })
})
