import assert from 'node:assert/strict'
import test from 'node:test'
import { createBuffer } from '../src/buffer.ts'

function typed(text, buffer = createBuffer()) {
  for (const unit of text) buffer.insert(unit)
  return buffer
}

function undone(buffer) {
  const texts = [buffer.text()]
  while (texts.length < 50 && buffer.undo()) texts.push(buffer.text())
  return texts
}

const state = (buffer) => [buffer.text(), buffer.cursor()]

test('edits happen at the cursor and move it', () => {
  const buffer = createBuffer('abc')
  assert.deepEqual(state(buffer), ['abc', 3])
  buffer.moveTo(1)
  buffer.insert('XY')
  assert.deepEqual(state(buffer), ['aXYbc', 3])
  buffer.remove(0, 2)
  assert.deepEqual(state(buffer), ['Ybc', 0])
  assert.deepEqual(state(createBuffer()), ['', 0])
})

test('undo and redo put text and cursor back', () => {
  const buffer = createBuffer('abc')
  buffer.moveTo(1)
  buffer.insert('XY')
  buffer.moveTo(5)
  buffer.remove(2, 4)
  buffer.moveTo(0)
  assert.equal(buffer.undo(), true)
  assert.deepEqual(state(buffer), ['aXYbc', 5])
  assert.equal(buffer.undo(), true)
  assert.deepEqual(state(buffer), ['abc', 1])
  assert.equal(buffer.undo(), false)
  assert.equal(buffer.redo(), true)
  assert.deepEqual(state(buffer), ['aXYbc', 3])
  buffer.redo()
  assert.deepEqual(state(buffer), ['aXc', 2])
  assert.equal(buffer.redo(), false)
})

test('a new edit forgets what could be redone', () => {
  const buffer = createBuffer('a')
  buffer.insert('bc')
  buffer.undo()
  assert.deepEqual(buffer.sizes(), { undo: 0, redo: 1 })
  buffer.insert('d')
  assert.deepEqual(buffer.sizes(), { undo: 1, redo: 0 })
  assert.equal(buffer.redo(), false)
})

test('empty edits do nothing', () => {
  const buffer = typed('ab')
  buffer.insert('')
  buffer.remove(0, 0)
  buffer.remove(1, 1)
  assert.deepEqual(state(buffer), ['ab', 2])
  buffer.insert('c')
  assert.deepEqual(buffer.sizes(), { undo: 1, redo: 0 })
})

test('positions outside the text are refused and change nothing', () => {
  const buffer = createBuffer('abc')
  for (const position of [-1, 4, 1.5, Number.NaN]) {
    assert.throws(() => buffer.moveTo(position), RangeError)
    assert.throws(() => buffer.remove(position, 3), RangeError)
    assert.throws(() => buffer.remove(0, position), RangeError)
  }
  assert.throws(() => buffer.remove(2, 1), RangeError)
  assert.throws(() => createBuffer('', 0), RangeError)
  assert.deepEqual(state(buffer), ['abc', 3])
  buffer.remove(0, 3)
  assert.deepEqual(state(buffer), ['', 0])
})

test('typing joins by words, with the white space behind them', () => {
  assert.deepEqual(undone(typed('one two  x\ny')), ['one two  x\ny', 'one two  x\n', 'one two  ', 'one ', ''])
  assert.deepEqual(undone(typed(' a')), [' a', ' ', ''])
})

test('longer insertions and removals join nothing', () => {
  const buffer = typed('ab')
  buffer.insert('cd')
  typed('ef', buffer)
  buffer.remove(5, 6)
  typed('gh', buffer)
  assert.deepEqual(undone(buffer), ['abcdegh', 'abcde', 'abcdef', 'abcd', 'ab', ''])
})

test('moving the cursor, undo and redo end typing', () => {
  const moved = typed('ab')
  moved.moveTo(2)
  typed('cd', moved)
  assert.deepEqual(undone(moved), ['abcd', 'ab', ''])
  const redone = typed('ab')
  assert.equal(redone.redo(), false)
  typed('c', redone)
  assert.deepEqual(redone.sizes(), { undo: 2, redo: 0 })
  redone.undo()
  redone.redo()
  typed('d', redone)
  assert.deepEqual(undone(redone), ['abcd', 'abc', 'ab', ''])
  const back = typed('ab cd')
  back.undo()
  typed('e', back)
  assert.deepEqual(undone(back), ['ab e', 'ab ', ''])
})

test('typing is redone as a whole, with its cursor', () => {
  const buffer = createBuffer('[]')
  buffer.moveTo(1)
  typed('abc', buffer)
  buffer.moveTo(0)
  buffer.undo()
  assert.deepEqual(state(buffer), ['[]', 1])
  buffer.redo()
  assert.deepEqual(state(buffer), ['[abc]', 4])
})

test('the limit counts entries, not units', () => {
  const buffer = createBuffer('', 2)
  typed('one two three', buffer)
  assert.deepEqual(buffer.sizes(), { undo: 2, redo: 0 })
  assert.deepEqual(undone(buffer), ['one two three', 'one two ', 'one '])
  const plain = createBuffer()
  for (let i = 0; i < 105; i++) plain.insert('xy')
  assert.deepEqual(plain.sizes(), { undo: 100, redo: 0 })
})

test('a group is one entry, with the cursor of its first and last edit', () => {
  const buffer = createBuffer('abcdef')
  buffer.moveTo(6)
  const result = buffer.group(() => {
    buffer.moveTo(2)
    buffer.insert('X')
    typed('yz', buffer)
    buffer.remove(0, 1)
    buffer.moveTo(3)
    return 42
  })
  assert.equal(result, 42)
  assert.deepEqual(state(buffer), ['bXyzcdef', 3])
  assert.deepEqual(buffer.sizes(), { undo: 1, redo: 0 })
  buffer.undo()
  assert.deepEqual(state(buffer), ['abcdef', 2])
  buffer.redo()
  assert.deepEqual(state(buffer), ['bXyzcdef', 0])
})

test('typing does not join into or out of a group', () => {
  const buffer = typed('ab')
  buffer.group(() => buffer.insert('c'))
  typed('d', buffer)
  assert.deepEqual(undone(buffer), ['abcd', 'abc', 'ab', ''])
  const empty = typed('ab')
  empty.group(() => {})
  typed('c', empty)
  assert.deepEqual(empty.sizes(), { undo: 1, redo: 0 })
  assert.throws(() =>
    empty.group(() => {
      empty.insert('lost')
      throw new Error('stop')
    }),
  )
  typed('d', empty)
  assert.deepEqual(undone(empty), ['abcd', 'abc', ''])
})

test('a group that throws leaves no trace', () => {
  const buffer = createBuffer('abc')
  buffer.insert('def')
  buffer.insert('ghi')
  buffer.undo()
  buffer.moveTo(1)
  const error = new Error('stop')
  assert.throws(
    () =>
      buffer.group(() => {
        buffer.insert('X')
        buffer.remove(0, 1)
        throw error
      }),
    (thrown) => thrown === error,
  )
  assert.deepEqual(state(buffer), ['abcdef', 1])
  assert.deepEqual(buffer.sizes(), { undo: 1, redo: 1 })
  assert.equal(buffer.redo(), true)
  assert.equal(buffer.text(), 'abcdefghi')
  buffer.group(() => buffer.insert('!'))
  assert.equal(buffer.text(), 'abcdefghi!')
})

test('an inner group belongs to the outer one and may fail alone', () => {
  const buffer = createBuffer('a')
  buffer.group(() => {
    buffer.group(() => buffer.insert('b'))
    buffer.insert('c')
    assert.throws(() =>
      buffer.group(() => {
        buffer.insert('lost')
        throw new Error('inner')
      }),
    )
    assert.deepEqual(state(buffer), ['abc', 3])
    buffer.group(() => {
      buffer.insert('d')
      buffer.insert('e')
    })
  })
  assert.deepEqual(undone(buffer), ['abcde', 'a'])
  buffer.redo()
  assert.equal(buffer.text(), 'abcde')
  assert.throws(() =>
    buffer.group(() => {
      buffer.group(() => buffer.insert('f'))
      throw new Error('outer')
    }),
  )
  assert.equal(buffer.text(), 'abcde')
})

test('there is no undo or redo within a group', () => {
  const buffer = createBuffer('a')
  buffer.insert('b')
  assert.throws(() => buffer.group(() => buffer.undo()), Error)
  assert.throws(() => buffer.group(() => buffer.redo()), Error)
  buffer.group(() => {
    assert.throws(() => buffer.undo(), Error)
    buffer.insert('c')
  })
  assert.equal(buffer.text(), 'abc')
  assert.deepEqual(buffer.sizes(), { undo: 2, redo: 0 })
})
