import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseColour } from '../src/colour.mjs'
import { parseDuration } from '../src/duration.mjs'
import { splitLine } from '../src/line.mjs'
import { parseMoney } from '../src/money.mjs'
import { parseQuery } from '../src/query.mjs'
import { parseRanges } from '../src/ranges.mjs'
import { fromRoman } from '../src/roman.mjs'
import { compareVersions } from '../src/version.mjs'

test('duration', () => assert.equal(parseDuration('2h 5m 30s'), 7530))
test('money', () => assert.equal(parseMoney('1.234,50 EUR'), 123450))
test('ranges', () => assert.deepEqual([...parseRanges('1-3,7')], [1, 2, 3, 7]))
test('version', () => assert.equal(compareVersions('2.1', '2.1.0'), 0))
test('line', () => assert.deepEqual([...splitLine('a;"b;c";d')], ['a', 'b;c', 'd']))
test('query', () => assert.deepEqual(parseQuery('a=1&b=2&a=3'), { a: ['1', '3'], b: '2' }))
test('colour', () => assert.deepEqual([...parseColour('#ff8000')], [255, 128, 0]))
test('roman', () => assert.equal(fromRoman('XLIX'), 49))
