import assert from 'node:assert/strict'
import test from 'node:test'
import { parseDuration } from '../src/parse-duration.mjs'

const same = (expected, ...texts) => {
  for (const text of texts) assert.equal(parseDuration(text), expected, JSON.stringify(text))
}

test('each unit has its length', () => {
  same(604800, '1w')
  same(86400, '1d')
  same(3600, '1h')
  same(60, '1m')
  same(1, '1s')
})

test('all units together', () => {
  same(604800 + 2 * 86400 + 3 * 3600 + 4 * 60 + 5, '1w 2d 3h 4m 5s', '1w2d3h4m5s')
  same(604800 + 5, '1w5s')
})

test('units may be of either case', () => {
  same(2 * 86400 + 4 * 3600, '2D 4H', '2d4H')
})

test('white space is free between parts and at the ends only', () => {
  same(5400, '  1h30m\n', '1h  \t 30m', ' 1h 30m ')
  same(null, '1 h', '1h 30 m', '1 :30', '- 1h', '1h - 2m')
})

test('a unit never comes twice or after a smaller one', () => {
  same(null, '1h 2h', '5s 5s', '1s 1m', '1h 1w', '1d 2h 1d')
})

test('only the last number has decimals', () => {
  same(5400, '1.5h')
  same(3600 + 150, '1h 2.5m')
  same(6, '0.1m')
  same(null, '1.5h 3m', '1.0d 2h', '1.5w1.5d')
})

test('a dot needs digits on both sides', () => {
  same(null, '.5h', '1.h', '1..5h', '1.5.1h', '1,5h')
})

test('the sum is rounded, a half away from zero', () => {
  same(1, '0.5s', '1.4s')
  same(2, '1.5s', '0.025m')
  same(-1, '-0.5s', '-1.4s')
  same(-3, '-2.5s')
})

test('a clock has hours and minutes, and maybe seconds', () => {
  same(5400, '1:30', '01:30', '1:30:00')
  same(100 * 3600 + 59 * 60 + 59, '100:59:59')
  same(9, '0:00:09')
  same(-1800, '-0:30')
})

test('a clock is refused when it does not fit', () => {
  same(null, '1:60', '1:00:60', '1:5', '1:05:5', '1:005', ':30', '1:', '1:30:', '1:30h', '1h:30', '1:2:03:04', '1:30.5')
})

test('nothing is 0 and never -0', () => {
  for (const text of ['0s', '-0s', '0:00', '-0:00:00', '-0.4s', '0w 0s']) {
    assert.ok(Object.is(parseDuration(text), 0), text)
  }
})

test('anything else is null', () => {
  same(null, '', '   ', '-', '90', '-90', 'h', '--1h', '+1h', '1h-', '1x', '1hm', 'one hour', '1h and 2m', '1e3s', '12')
})
