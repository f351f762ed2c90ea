import assert from 'node:assert/strict'
import test from 'node:test'
import { createPatch } from '../src/patch.mjs'

const numbers = (count) => Array.from({ length: count }, (_, i) => `l${i + 1}`)
const changed = (count, ...at) => numbers(count).map((line, i) => (at.includes(i + 1) ? `${line}!` : line)).join('\n')
const heads = (patch) => patch.split('\n').filter((line) => line.startsWith('@@'))

test('equal texts give an empty patch', () => {
  assert.equal(createPatch('a\nb\n', 'a\nb\n'), '')
  assert.equal(createPatch('', '', 0), '')
})

test('three lines of context are the default', () => {
  assert.equal(
    createPatch(changed(10), changed(10, 5)),
    '@@ -2,7 +2,7 @@\n l2\n l3\n l4\n-l5\n+l5!\n l6\n l7\n l8\n',
  )
})

test('context ends where the text does', () => {
  assert.equal(createPatch('a\nb', 'b'), '@@ -1,2 +1,1 @@\n-a\n b\n')
  assert.equal(createPatch('a\nb\nc\nd\ne', 'a\nb\nc\nd', 2), '@@ -3,3 +3,2 @@\n c\n d\n-e\n')
  assert.equal(createPatch('a\n', 'a\nb\n', 1), '@@ -1,2 +1,3 @@\n a\n+b\n \n')
})

test('changes that are close share a hunk, others do not', () => {
  assert.deepEqual(heads(createPatch(changed(20), changed(20, 5, 10), 2)), ['@@ -3,10 +3,10 @@'])
  assert.deepEqual(heads(createPatch(changed(20), changed(20, 5, 11), 2)), ['@@ -3,5 +3,5 @@', '@@ -9,5 +9,5 @@'])
  assert.deepEqual(heads(createPatch(changed(20), changed(20, 5, 6), 0)), ['@@ -5,2 +5,2 @@'])
  assert.deepEqual(heads(createPatch(changed(20), changed(20, 5, 7), 0)), ['@@ -5,1 +5,1 @@', '@@ -7,1 +7,1 @@'])
})

test('later hunks count the lines of each text by itself', () => {
  const before = numbers(12).join('\n')
  const after = ['new', ...numbers(12).filter((line) => line !== 'l8' && line !== 'l9')].join('\n')
  assert.equal(createPatch(before, after, 1), '@@ -1,1 +1,2 @@\n+new\n l1\n@@ -7,4 +8,2 @@\n l7\n-l8\n-l9\n l10\n')
})

test('a side without lines is named by the line before it', () => {
  assert.equal(createPatch('a\nb', 'a\nx\nb', 0), '@@ -1,0 +2,1 @@\n+x\n')
  assert.equal(createPatch('a\nb', 'x\na\nb', 0), '@@ -0,0 +1,1 @@\n+x\n')
  assert.equal(createPatch('a\nb\nc', 'a\nc', 0), '@@ -2,1 +1,0 @@\n-b\n')
})

test('a context that is no count is refused', () => {
  for (const context of [-1, 0.5, '1', Number.NaN]) assert.throws(() => createPatch('a', 'b', context), RangeError)
})
