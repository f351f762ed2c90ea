import assert from 'node:assert/strict'
import test from 'node:test'
import { applyPatch, reversePatch } from '../src/apply.mjs'
import { createPatch } from '../src/patch.mjs'

const texts = ['', 'a', 'a\n', 'a\nb\nc\nd\ne\nf\ng\nh', 'b\na\nc\nd\ne\ng\nh\nh\n', '\n\na\n\nb', 'x\nb\nc\nd\ny\nf\ng\nz', '-\n+\n \n@@']

test('a patch turns one text into the other, its reverse turns it back', () => {
  for (const before of texts) {
    for (const after of texts) {
      for (const context of [0, 1, 3]) {
        const patch = createPatch(before, after, context)
        assert.equal(applyPatch(before, patch), after)
        assert.equal(applyPatch(after, reversePatch(patch)), before)
      }
    }
  }
})

test('an empty patch changes nothing', () => {
  assert.equal(applyPatch('a\nb', ''), 'a\nb')
  assert.equal(reversePatch(''), '')
})

test('line numbers refer to the text as it was', () => {
  const patch = '@@ -0,0 +1,2 @@\n+x\n+y\n@@ -2,1 +4,0 @@\n-b\n@@ -3,1 +4,1 @@\n-c\n+C\n'
  assert.equal(applyPatch('a\nb\nc\nd', patch), 'x\ny\na\nC\nd')
})

test('the first line that does not fit is told', () => {
  const fails = (text, patch, line) => assert.throws(() => applyPatch(text, patch), { name: 'PatchError', line })
  fails('a\nb\nc', '@@ -1,3 +1,3 @@\n a\n-x\n+y\n c\n', 2)
  fails('a\nb\nc', '@@ -1,3 +1,3 @@\n x\n-b\n+y\n c\n', 1)
  fails('a\nb\nc', '@@ -2,1 +2,1 @@\n-a\n+y\n', 2)
  fails('a\nb', '@@ -2,2 +2,1 @@\n b\n-c\n', 3)
  fails('a\nb\nc\nd', '@@ -1,1 +1,1 @@\n-a\n+A\n@@ -4,1 +4,1 @@\n-c\n+C\n', 4)
})

test('the reverse swaps sides and keeps deletions first', () => {
  assert.equal(
    reversePatch('@@ -2,3 +5,4 @@\n a\n-b\n+x\n+y\n c\n@@ -9,0 +13,1 @@\n+z\n'),
    '@@ -5,4 +2,3 @@\n a\n-x\n-y\n+b\n c\n@@ -13,1 +9,0 @@\n-z\n',
  )
})

test('what is no patch is refused by both', () => {
  const bad = [
    'a\n', ' a\n', '\n', '@@ -1,1 +1,1 @@\n a', '@@ -1,1 +1,1 @@\n', '@@ -1,1 +1,1 @@\n-a\n', '@@ -1,1 +1,1 @@\n+a\n', '@@ -1,1 +1,2 @@\n a\n',
    '@@ -1,2 +1,1 @@\n a\n', '@@ -1 +1 @@\n a\n', '@@ -1,1 +1,1 @@ x\n a\n', '@@ -1,1 +1,1 @@\n a\n\n', '@@ -1,1 +1,1 @@\n a\n*b\n', '@@ -1,2 +1,2 @@\n a\n*b\n',
    '+x\n@@ -1,1 +1,1 @@\n a\n',
  ]
  for (const patch of bad) {
    assert.throws(() => applyPatch('a', patch), SyntaxError, JSON.stringify(patch))
    assert.throws(() => reversePatch(patch), SyntaxError, JSON.stringify(patch))
  }
})
