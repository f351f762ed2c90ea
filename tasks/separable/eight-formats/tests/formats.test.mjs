import assert from 'node:assert/strict'
import { test } from 'node:test'

/** Loads a module in each test, so that one that does not load fails its own tests alone. */
const call = async (module, name, ...values) => {
  const modules = {
    duration: () => import('../src/duration.mjs'),
    money: () => import('../src/money.mjs'),
    ranges: () => import('../src/ranges.mjs'),
    version: () => import('../src/version.mjs'),
    line: () => import('../src/line.mjs'),
    query: () => import('../src/query.mjs'),
    colour: () => import('../src/colour.mjs'),
    roman: () => import('../src/roman.mjs'),
  }
  return (await modules[module]())[name](...values)
}
const duration = (text) => call('duration', 'parseDuration', text)
const money = (text) => call('money', 'parseMoney', text)
const ranges = (text) => call('ranges', 'parseRanges', text)
const version = (a, b) => call('version', 'compareVersions', a, b)
const line = (text) => call('line', 'splitLine', text)
const query = (text) => call('query', 'parseQuery', text)
const colour = (text) => call('colour', 'parseColour', text)
const roman = (text) => call('roman', 'fromRoman', text)

test('duration: all parts, and any of them left out', async () => {
  for (const [text, seconds] of [['1h 1m 1s', 3661], ['90m', 5400], ['1h 5s', 3605], ['0s', 0], ['10m 75s', 675]])
    assert.equal(await duration(text), seconds, text)
})
test('duration: other orders and spaces are refused', async () => {
  for (const text of ['5s 1h', '1h5m', '1h  5m', ' 1h', '1h ']) assert.equal(await duration(text), null, text)
})
test('duration: other forms are refused', async () => {
  for (const text of ['', '1.5h', '-1h', '5', '1h 1h', '1H', '5 m']) assert.equal(await duration(text), null, text)
})
test('duration: long numbers are read whole', async () => assert.equal(await duration('100h 001m'), 360060))

test('money: with and without points and cents', async () => {
  for (const [text, cents] of [['0,05 EUR', 5], ['12 EUR', 1200], ['1234,00 EUR', 123400], ['1.000.000 EUR', 100000000]])
    assert.equal(await money(text), cents, text)
})
test('money: negative sums', async () => assert.equal(await money('-1.234,56 EUR'), -123456))
test('money: wrong points are refused', async () => {
  for (const text of ['1234.567 EUR', '1.23 EUR', '.123 EUR', '1.2345 EUR']) await assert.rejects(async () => money(text), RangeError, text)
})
test('money: other forms are refused', async () => {
  for (const text of ['1,5 EUR', '1,500 EUR', '5EUR', '5 eur', '- 5 EUR', '5', ',50 EUR', '5 EUR '])
    await assert.rejects(async () => money(text), RangeError, text)
})

test('ranges: overlapping ranges give each number once', async () =>
  assert.deepEqual([...(await ranges('5,1-3,2-4'))], [1, 2, 3, 4, 5]))
test('ranges: backwards, and with spaces', async () => assert.deepEqual([...(await ranges(' 12 - 9 , 100'))], [9, 10, 11, 12, 100]))
test('ranges: nothing named', async () => {
  for (const text of ['', '   ']) assert.deepEqual([...(await ranges(text))], [], text)
})
test('ranges: other forms are refused', async () => {
  for (const text of ['1,,2', '1-', '-3', '1-2-3', 'a', '1,', '1 2']) assert.equal(await ranges(text), undefined, text)
})

test('version: as numbers, not as texts', async () => assert.equal(await version('1.10', '1.9'), 1))
test('version: missing numbers count as 0', async () => {
  assert.equal(await version('3', '3.0.0.1'), -1)
  assert.equal(await version('3.0', '3'), 0)
})
test('version: a word comes before the same version without one', async () => {
  assert.equal(await version('2.1-beta', '2.1'), -1)
  assert.equal(await version('2.1', '2.1.0-beta'), 1)
})
test('version: words by the alphabet, after the numbers', async () => {
  assert.equal(await version('2.1-rc', '2.1-beta'), 1)
  assert.equal(await version('2.1-beta', '2.1.0-beta'), 0)
  assert.equal(await version('2.2-alpha', '2.1'), 1)
})

test('line: spaces outside of quotes are dropped, inside they are kept', async () =>
  assert.deepEqual([...(await line(' a ; b c ;" d "'))], ['a', 'b c', ' d ']))
test('line: doubled quotes', async () => assert.deepEqual([...(await line('"say ""hi"";";x'))], ['say "hi";', 'x']))
test('line: empty fields, and quotes inside a field', async () => {
  assert.deepEqual([...(await line(''))], [''])
  assert.deepEqual([...(await line(';a"b";'))], ['', 'a"b"', ''])
  assert.deepEqual([...(await line('"";'))], ['', ''])
})
test('line: open quotes and text after quotes are refused', async () => {
  for (const text of ['"a', 'x;"a""', '"a" ;b', '"a"b']) await assert.rejects(async () => line(text), SyntaxError, text)
})

test('query: only the first = splits, and a plus is a space', async () =>
  assert.deepEqual(await query('a+b=c+d=e%20'), { 'a b': 'c d=e%20' }))
test('query: parts without a value, and without a key', async () =>
  assert.deepEqual(await query('?a&=x&&b='), { a: true, b: '' }))
test('query: three values, one of them without =', async () =>
  assert.deepEqual(await query('k=1&k&k=1'), { k: ['1', true, '1'] }))
test('query: names that every object has', async () => {
  const read = await query('toString=1&toString=2')
  assert.deepEqual([...read.toString], ['1', '2'])
})

test('colour: three digits and one', async () => {
  assert.deepEqual([...(await colour('#1aF'))], [17, 170, 255])
  assert.deepEqual([...(await colour('#c'))], [204, 204, 204])
})
test('colour: names', async () => {
  assert.deepEqual([...(await colour('grey'))], [128, 128, 128])
  assert.deepEqual([...(await colour('white'))], [255, 255, 255])
})
test('colour: six digits in capital letters', async () => assert.deepEqual([...(await colour('#0A0B0C'))], [10, 11, 12]))
test('colour: other forms are refused', async () => {
  for (const text of ['ff8000', '#ff80', '#12', '#ggg', 'Black', 'toString', '#', ' #fff', '#12345678'])
    assert.deepEqual([...(await colour(text))], [], text)
})

test('roman: the usual way of writing', async () => {
  for (const [text, number] of [['I', 1], ['XL', 40], ['XCIV', 94], ['MCMXCIX', 1999], ['MMMDCCCLXXXVIII', 3888]])
    assert.equal(await roman(text), number, text)
})
test('roman: too many of a letter', async () => {
  for (const text of ['XXXX', 'VIIII', 'MMMM', 'VV', 'LL']) assert.equal(await roman(text), 0, text)
})
test('roman: wrong subtraction', async () => {
  for (const text of ['IC', 'VX', 'IIX', 'XM', 'IXI', 'XCX']) assert.equal(await roman(text), 0, text)
})
test('roman: nothing, and other letters', async () => {
  for (const text of ['', 'xl', 'X L', 'A']) assert.equal(await roman(text), 0, text)
})
