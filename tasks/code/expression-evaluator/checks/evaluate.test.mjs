import assert from 'node:assert/strict'
import test from 'node:test'
import { evaluate } from '../src/evaluate.mjs'
import { tokenize } from '../src/tokenize.mjs'

test('tokens have kind, text and position', () => {
  assert.deepEqual(tokenize('x <= 2.5'), [
    { kind: 'name', text: 'x', position: 0 },
    { kind: 'symbol', text: '<=', position: 2 },
    { kind: 'number', text: '2.5', position: 5 },
    { kind: 'end', text: '', position: 8 },
  ])
})

test('operators bind as stated', () => {
  assert.equal(evaluate('2 + 3 * 4'), 14)
  assert.equal(evaluate('-2^2'), -4)
  assert.equal(evaluate('max(1, x) - 1', { x: 7 }), 6)
})

test('an error has its position', () => {
  assert.throws(() => evaluate('1 + y'), { name: 'ExpressionError', position: 4 })
})
