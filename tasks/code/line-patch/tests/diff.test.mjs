import assert from 'node:assert/strict'
import test from 'node:test'
import { diffLines } from '../src/diff.mjs'

const text = (parts, other) => parts.filter(({ type }) => type !== other).map(({ line }) => line).join('\n')
const kept = (parts) => parts.filter(({ type }) => type === 'keep').length

test('equal texts are kept whole, the empty text is one empty line', () => {
  assert.deepEqual(diffLines('a\n', 'a\n'), [{ type: 'keep', line: 'a' }, { type: 'keep', line: '' }])
  assert.deepEqual(diffLines('', ''), [{ type: 'keep', line: '' }])
  assert.deepEqual(diffLines('', 'a'), [{ type: 'delete', line: '' }, { type: 'insert', line: 'a' }])
})

test('as many lines as possible are kept', () => {
  for (const [before, after, count] of [
    ['a\nb\nc\na\nb\nb\na', 'c\nb\na\nb\na\nc', 4],
    ['x\na\nb\nc\nd', 'a\nb\nc\nd\nx', 4],
    ['a\nb\nc\nd\ne\nf', 'f\na\nc\ne\nb\nd', 3],
    ['a\na\na', 'a\na', 2],
    ['a\nb', 'c\nd', 0],
    ['p\nq\nr', 'p\nq\nr\ns', 3],
  ]) {
    const parts = diffLines(before, after)
    assert.equal(text(parts, 'insert'), before)
    assert.equal(text(parts, 'delete'), after)
    assert.equal(kept(parts), count, before)
    assert.equal(kept(diffLines(after, before)), count, after)
  }
})

test('deletions come before insertions between kept lines', () => {
  const letters = 'abcd'
  for (let seed = 1; seed <= 60; seed++) {
    let state = seed
    const draw = () => {
      state = (state * 48271) % 2147483647
      return state
    }
    const words = () => Array.from({ length: draw() % 9 }, () => letters[draw() % 4]).join('\n')
    const [before, after] = [words(), words()]
    const parts = diffLines(before, after)
    assert.equal(text(parts, 'insert'), before)
    assert.equal(text(parts, 'delete'), after)
    parts.forEach(({ type }, i) => {
      if (type === 'delete') assert.notEqual(parts[i - 1]?.type, 'insert')
    })
  }
})
