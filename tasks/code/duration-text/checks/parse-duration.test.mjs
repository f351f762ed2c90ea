import assert from 'node:assert/strict'
import test from 'node:test'
import { parseDuration } from '../src/parse-duration.mjs'

test('parts add up', () => {
  assert.equal(parseDuration('1h30m'), 5400)
})

test('a clock with seconds can be negative', () => {
  assert.equal(parseDuration('-1:02:03'), -3723)
})

test('smaller units never come first', () => {
  assert.equal(parseDuration('30m 1h'), null)
})
