import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutToWidth, displayWidth, padEnd, padStart } from '../../src/text/display-width.ts'
import { longestPart, wrapWords } from '../../src/text/wrap-words.ts'

it.each([
  ['one two three', 7, ['one two', 'three']],
  ['', 5, ['']],
  ['self-consistency=sequential', 17, ['self-consistency=', 'sequential']],
  ['a self-consistency=sequential', 12, ['a', 'self-', 'consistency=', 'sequential']],
  ['abcdefgh', 3, ['abc', 'def', 'gh']],
  ['宽宽宽 a', 4, ['宽宽', '宽 a']],
])('wrapWords breaks %s at %i columns at spaces, joints, or anywhere', (text, width, lines) => {
  expect(wrapWords(text, width)).toEqual(lines)
})

const text = fc.string({ unit: fc.constantFrom('a', ' ', '-', '=', '宽', '👩‍🔬', 'é'), maxLength: 60 })

it('wrapWords loses no character but spaces, and makes no line too wide', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (given, width) => {
      const lines = wrapWords(given, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(given.replaceAll(' ', ''))
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
    }),
  )
})

it('longestPart is the width at which no short word is broken', () => {
  expect(longestPart('self-consistency=sequential')).toBe(12)
  expect(longestPart('+12.3 [+1.1, +22.3]')).toBe(6)
})

it('displayWidth counts columns of a terminal', () => {
  expect(['abc', '宽', 'é', '👩‍🔬'].map(displayWidth)).toEqual([3, 2, 1, 2])
  expect(padEnd('宽', 4) + padStart('a', 3)).toBe('宽    a')
  expect(cutToWidth('a宽b', 2)).toEqual(['a', '宽', 'b'])
})
