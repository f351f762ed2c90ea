import assert from 'node:assert/strict'
import test from 'node:test'
import { createHistory } from '../src/history.ts'

test('entries move between two stacks', () => {
  const history = createHistory(5)
  assert.equal(history.undo(), undefined)
  assert.equal(history.redo(), undefined)
  assert.equal(history.top(), undefined)
  for (const entry of ['a', 'b', 'c']) history.push(entry)
  assert.equal(history.top(), 'c')
  assert.equal(history.undo(), 'c')
  assert.equal(history.undo(), 'b')
  assert.equal(history.top(), 'a')
  assert.deepEqual(history.sizes(), { undo: 1, redo: 2 })
  assert.equal(history.redo(), 'b')
  history.push('d')
  assert.equal(history.redo(), undefined)
  assert.deepEqual(history.sizes(), { undo: 3, redo: 0 })
})

test('the oldest entry is dropped at the limit', () => {
  const history = createHistory(2)
  for (const entry of ['a', 'b', 'c']) history.push(entry)
  assert.deepEqual([history.undo(), history.undo(), history.undo()], ['c', 'b', undefined])
  assert.deepEqual(history.sizes(), { undo: 0, redo: 2 })
  const single = createHistory(1)
  single.push('x')
  assert.equal(single.undo(), 'x')
  assert.equal(single.redo(), 'x')
})

test('the top entry can be replaced, which forgets what could be redone', () => {
  const history = createHistory(3)
  history.push('a')
  history.push('b')
  history.undo()
  history.replaceTop('A')
  assert.deepEqual(history.sizes(), { undo: 1, redo: 0 })
  assert.equal(history.undo(), 'A')
  history.replaceTop('nothing')
  assert.deepEqual(history.sizes(), { undo: 0, redo: 1 })
  assert.equal(history.redo(), 'A')
})

test('a limit that is no count is refused', () => {
  for (const limit of [0, -1, 1.5, Number.NaN]) assert.throws(() => createHistory(limit), RangeError)
})
