import assert from 'node:assert/strict'
import test from 'node:test'
import { evaluate } from '../src/evaluate.mjs'

const equal = (text, expected, variables) => assert.equal(evaluate(text, variables), expected, text)
const fails = (text, position, variables) =>
  assert.throws(() => evaluate(text, variables), { name: 'ExpressionError', position }, text)

test('sums and products go from left to right', () => {
  equal('10 - 4 - 3', 3)
  equal('100 / 10 / 5', 2)
  equal('17 % 10 % 4', 3)
  equal('2 * 7 % 4', 2)
  equal('1 + 2 * 3 - 8 / 4', 5)
  equal('1 - 2 + 3', 2)
})

test('parentheses come first', () => {
  equal('(1 + 2) * 3', 9)
  equal('2 * ((3))', 6)
  equal('10 - (4 - 3)', 9)
})

test('power goes from right to left and beats a minus to its left', () => {
  equal('2^3^2', 512)
  equal('(2^3)^2', 64)
  equal('-2^2', -4)
  equal('(-2)^2', 4)
  equal('2^-1', 0.5)
  equal('2^--1', 2)
  equal('2^-1^2', 0.5)
  equal('2 * 3^2', 18)
})

test('a minus may repeat, before any operand', () => {
  equal('--2', 2)
  equal('---2', -2)
  equal('3 - -2', 5)
  equal('2 * -3', -6)
  equal('-3 % 2', -1)
})

test('comparisons give 1 or 0 and bind weakest', () => {
  equal('1 + 1 < 3', 1)
  equal('3 < 1 + 1', 0)
  equal('2 <= 2', 1)
  equal('2 < 2', 0)
  equal('2 >= 3', 0)
  equal('2 >= 2', 1)
  equal('3 > 3', 0)
  equal('2 * 2 == 2 + 2', 1)
  equal('1 != 1', 0)
  equal('(1 < 2) + (2 != 1)', 2)
})

test('comparisons cannot be chained', () => {
  fails('1 < 2 < 3', 6)
  fails('1 == 1 != 2', 7)
  equal('(1 < 2) < 3', 1)
})

test('variables are own properties', () => {
  equal('x * x_2', 12, { x: 3, x_2: 4 })
  fails('1 + toString', 4, {})
  fails('x', 0)
  equal('min + 1', 6, { min: 5 })
})

test('functions take whole expressions', () => {
  equal('min(3, 1 + 1, 5)', 2)
  equal('max(4)', 4)
  equal('max(1 < 2, 0)', 1)
  equal('abs(-3) + sqrt(16)', 7)
  equal('round(2.5) + round(-2.5)', 1)
  equal('min(max(1, 2), max(3, 4))', 2)
  equal('sqrt(0)', 0)
  equal('max(1, 2)^2', 4)
})

test('errors of syntax have the position of the token that does not fit', () => {
  for (const [text, position] of [
    ['', 0], ['1 +', 3], ['1 + ', 4], ['(1', 2], ['1)', 1], ['1 2', 2], ['* 2', 0], ['1 + * 2', 4], ['min()', 4], ['min(1,)', 6],
    ['min(1 2)', 6], ['2(3)', 1], ['+1', 0], ['(,)', 1], ['max(1', 5], ['()', 1],
  ]) {
    fails(text, position)
  }
})

test('errors of meaning have the position of what is to blame', () => {
  fails('1 + 6 / (3 - 3)', 6)
  fails('4 % 0', 2)
  fails('2 + sqrt(0 - 4)', 4)
  fails('1 + nope(2)', 4)
  fails('abs(1, 2)', 0)
  fails('1 + round(1, 2)', 4)
  fails('toString(1)', 0)
  fails('x(1)', 0, { x: 1 })
  equal('0 / 4', 0)
})

test('the first error from left to right is thrown', () => {
  fails('a + b', 0)
  fails('1 / 0 + c', 2)
  fails('x / 0 + 1 / 0', 0)
  fails('a / 0', 0)
  fails('nope(a)', 0)
  fails('1 + abs(b, c)', 4)
  fails('max(1, 1 / 0, a)', 9)
  fails('a + $', 4)
  fails('a + )', 4)
})
