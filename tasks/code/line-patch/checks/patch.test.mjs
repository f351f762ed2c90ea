import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPatch } from '../src/apply.mjs'
import { diffLines } from '../src/diff.mjs'
import { createPatch } from '../src/patch.mjs'

test('a changed line is deleted, then inserted', () => {
  assert.deepEqual(diffLines('a\nb\nc', 'a\nx\nc'), [
    { type: 'keep', line: 'a' },
    { type: 'delete', line: 'b' },
    { type: 'insert', line: 'x' },
    { type: 'keep', line: 'c' },
  ])
})

test('a patch has a header and context', () => {
  assert.equal(createPatch('a\nb\nc\n', 'a\nx\nc\n', 1), '@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n')
})

test('a patch can be applied', () => {
  assert.equal(applyPatch('a\nb\nc', '@@ -2,1 +2,2 @@\n-b\n+x\n+y\n'), 'a\nx\ny\nc')
})
