import assert from 'node:assert/strict'
import test from 'node:test'
import { createBuffer } from '../src/buffer.ts'
import { createHistory } from '../src/history.ts'

test('a history undoes and redoes', () => {
  const history = createHistory(10)
  history.push('a')
  history.push('b')
  assert.equal(history.undo(), 'b')
  assert.equal(history.redo(), 'b')
  assert.deepEqual(history.sizes(), { undo: 2, redo: 0 })
})

test('edits can be undone', () => {
  const buffer = createBuffer('hello')
  buffer.insert(' world')
  buffer.remove(0, 6)
  assert.equal(buffer.text(), 'world')
  assert.equal(buffer.undo(), true)
  assert.equal(buffer.text(), 'hello world')
  assert.equal(buffer.cursor(), 11)
})

test('typing is undone by words', () => {
  const buffer = createBuffer()
  for (const unit of 'one two') buffer.insert(unit)
  buffer.undo()
  assert.equal(buffer.text(), 'one ')
})
