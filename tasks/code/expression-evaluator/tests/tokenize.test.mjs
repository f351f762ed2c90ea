import assert from 'node:assert/strict'
import test from 'node:test'
import { tokenize } from '../src/tokenize.mjs'

const short = (text) => tokenize(text).map(({ kind, text, position }) => `${kind[0]}${text}@${position}`)

test('every symbol is one token, the longest first', () => {
  assert.deepEqual(short('+-*/%^(),'), ['s+@0', 's-@1', 's*@2', 's/@3', 's%@4', 's^@5', 's(@6', 's)@7', 's,@8', 'e@9'])
  assert.deepEqual(short('<=<>>===!='), ['s<=@0', 's<@2', 's>@3', 's>=@4', 's==@6', 's!=@8', 'e@10'])
})

test('numbers and names end where they end', () => {
  assert.deepEqual(short('2x1 _a9 12.50b'), ['n2@0', 'nx1@1', 'n_a9@4', 'n12.50@8', 'nb@13', 'e@14'])
  assert.equal(tokenize('2x')[1].kind, 'name')
})

test('white space is left out and the end comes after all of it', () => {
  assert.deepEqual(short(' \t1\n+ 2  '), ['n1@2', 's+@4', 'n2@6', 'e@9'])
  assert.deepEqual(short(''), ['e@0'])
  assert.deepEqual(short('  '), ['e@2'])
})

test('other characters are errors at their position', () => {
  for (const [text, position] of [['5.', 1], ['.5', 0], ['1 + 2 & 3', 6], ['a = 1', 2], ['1   $', 4], ['!x', 0], ['é', 0], ['1.2.3', 3]]) {
    assert.throws(() => tokenize(text), { name: 'ExpressionError', position }, text)
  }
})
