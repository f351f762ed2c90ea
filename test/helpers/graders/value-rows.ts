/** A kind of value: makers of a right and of a wrong one, and a body that accepts only the right one, made by `v()`. */
export type ValueRow = readonly [right: string, wrong: string, body: string]

const deep = (right: string, wrong: string): ValueRow => [
  right,
  wrong,
  `assert.deepStrictEqual(v(), ${right})`,
]
const typed = (name: string, right = '[1, 2, 250]', wrong = '[1, 2, 249]') =>
  deep(`new ${name}(${right})`, `new ${name}(${wrong})`)
const drained = (right: string, wrong: string, items: string): ValueRow => [
  right,
  wrong,
  `assert.deepStrictEqual([...v()], ${items})`,
]
const thrown = (right: string, wrong: string, expected: string): ValueRow => [
  `(() => { throw ${right} })()`,
  `(() => { throw ${wrong} })()`,
  `assert.throws(v, ${expected})`,
]

/** Expressions that give a primitive. */
const primitives: Record<string, ValueRow> = {
  undefined: deep('undefined', 'null'),
  null: ['null', 'undefined', 'assert.ok(v() === null)'],
  'a boolean': ['true', '1', 'assert.ok(v() === true)'],
  'zero with a sign': ['-0', '0', 'assert.ok(Object.is(v(), -0))'],
  'no number': ['NaN', '0', 'assert.ok(Number.isNaN(v()))'],
  infinity: ['-Infinity', 'Infinity', 'assert.ok(v() === -Infinity)'],
  'a large number': ['2 ** 53 + 2', '2 ** 53', 'assert.equal(v(), 9007199254740994)'],
  'the smallest number': ['Number.MIN_VALUE', '0', 'assert.equal(v(), 5e-324)'],
  BigInt: ['-(2n ** 80n)', '2n ** 80n', 'assert.ok(v() === -1208925819614629174706176n)'],
  'a text with lone surrogates': [
    `'\\ud800\\u2028\\0é'`,
    `'\\ufffd\\u2028\\0é'`,
    `assert.ok(v() === '\\ud800\\u2028\\0é')`,
  ],
  'a registered symbol': [`Symbol.for('a')`, `Symbol('a')`, `assert.ok(v() === Symbol.for('a'))`],
  'a well-known symbol': [
    'Symbol.asyncIterator',
    'Symbol.iterator',
    'assert.ok(v() === Symbol.asyncIterator)',
  ],
  'an own symbol': [
    `Symbol('mine')`,
    `Symbol('other')`,
    `assert.equal(v().description, 'mine'); assert.equal(typeof v(), 'symbol')`,
  ],
}

const objects: Record<string, ValueRow> = {
  'a record': deep(`({ a: 1, 'b c': [2, { d: null }] })`, `({ a: 1, 'b c': [2, { d: undefined }] })`),
  'the order of keys': [
    `({ b: 1, a: 2 })`,
    `({ a: 2, b: 1 })`,
    `assert.equal(Object.keys(v()).join(), 'b,a')`,
  ],
  'a record without a prototype': deep(`Object.assign(Object.create(null), { a: 1 })`, `({ a: 1 })`),
  'a property named __proto__': deep(`JSON.parse('{"__proto__":{"a":1}}')`, `({ __proto__: { a: 1 } })`),
  'keys that are symbols': deep(`({ [Symbol.for('k')]: 1 })`, `({ [Symbol.for('k')]: 2 })`),
  'a hidden property': [
    `Object.defineProperty({}, 'a', { value: 1 })`,
    `({ a: 1 })`,
    `assert.deepEqual(Object.keys(v()), []); assert.equal(v().a, 1)`,
  ],
  'an accessor': [`({ get a() { return 1 } })`, `({ get a() { return 2 } })`, 'assert.equal(v().a, 1)'],
  'a frozen object': [`Object.freeze({ a: 1 })`, `Object.seal({ a: 1 })`, `assert.ok(Object.isFrozen(v()))`],
  'a sealed object': [
    `Object.seal({ a: 1 })`,
    `Object.preventExtensions({ a: 1 })`,
    `assert.ok(Object.isSealed(v()) && !Object.isFrozen(v()))`,
  ],
  'an object that is not extensible': [
    `Object.preventExtensions([1])`,
    `[1]`,
    `assert.ok(!Object.isExtensible(v())); assert.throws(() => v().push(2), TypeError)`,
  ],
  'an undefined property': deep('({ a: undefined })', '({})'),
  cycles: [
    `(() => { const a = { n: 1 }; a.self = [a]; return a })()`,
    `(() => { const a = { n: 1 }; a.self = [{ n: 1 }]; return a })()`,
    'const a = v(); assert.ok(a.self[0] === a)',
  ],
  'the same object twice': [
    `(() => { const a = {}; return [a, a] })()`,
    '[{}, {}]',
    'const [a, b] = v(); assert.ok(a === b)',
  ],
  'an instance': [
    `new (class Point { x = 1 })()`,
    `new (class Dot { x = 1 })()`,
    `assert.equal(v().constructor.name, 'Point'); assert.equal(v().x, 1)`,
  ],
  arguments: [
    `(function () { return arguments })(1, 2)`,
    `[1, 2]`,
    `assert.equal(Object.prototype.toString.call(v()), '[object Arguments]'); assert.deepEqual(Array.from(v()), [1, 2])`,
  ],
  'the fields of a match': deep(`/(?<n>b)/.exec('abc')`, `/(?<n>c)/.exec('abc')`),
  'a text object': deep(`new String('ab')`, `'ab'`),
  'a number object': deep('new Number(-0)', 'new Number(0)'),
  'a boolean object': deep('new Boolean(false)', 'new Boolean(true)'),
  'a BigInt object': deep('Object(1n)', 'Object(2n)'),
  'a symbol object': deep('Object(Symbol.iterator)', 'Object(Symbol.asyncIterator)'),
}

const collections: Record<string, ValueRow> = {
  'an array': deep('[1, [2, [3]]]', '[1, [2, ["3"]]]'),
  'an array with holes': deep('[1, , 3]', '[1, undefined, 3]'),
  'holes at the end': [`[1, , ,]`, `[1]`, 'assert.equal(v().length, 3); assert.ok(!(1 in v()))'],
  'a sparse array': [
    `(() => { const a = []; a[4_000_000] = 1; return a })()`,
    `[1]`,
    'const a = v(); assert.equal(a.length, 4_000_001); assert.deepEqual(Object.keys(a), ["4000000"])',
  ],
  'an array with further properties': deep(`Object.assign([1], { total: 1 })`, '[1]'),
  'special items': deep(
    '[NaN, -0, undefined, null, Infinity, 1n]',
    '[NaN, 0, undefined, null, Infinity, 1n]',
  ),
  'a map': deep(
    `new Map([[NaN, { a: 1 }], ['k', new Map()]])`,
    `new Map([[NaN, { a: 1 }], ['k', new Set()]])`,
  ),
  'the order of a map': [
    `new Map([[2, 1], [1, 2]])`,
    `new Map([[1, 2], [2, 1]])`,
    `assert.deepEqual([...v().keys()], [2, 1])`,
  ],
  'a map of kinds': deep(
    `new Map([[new Date(5), new Uint8Array([1])]])`,
    `new Map([[new Date(6), new Uint8Array([1])]])`,
  ),
  'a set': deep(`new Set([1, [2], 'a'])`, `new Set([1, [3], 'a'])`),
  'a set of kinds': deep(`new Set([/a/g, new URL('http://a')])`, `new Set([/a/, new URL('http://a')])`),
  'a frozen map': [
    `Object.freeze(new Map([[1, 2]]))`,
    `new Map([[1, 2]])`,
    'assert.ok(Object.isFrozen(v()) && v().get(1) === 2)',
  ],
}

const bytes: Record<string, ValueRow> = {
  Int8Array: typed('Int8Array', '[1, -2]', '[1, 2]'),
  Uint8Array: typed('Uint8Array'),
  Uint8ClampedArray: typed('Uint8ClampedArray', '[300]', '[254]'),
  Int16Array: typed('Int16Array', '[-300]', '[300]'),
  Uint16Array: typed('Uint16Array', '[300]', '[301]'),
  Int32Array: typed('Int32Array'),
  Uint32Array: typed('Uint32Array'),
  Float32Array: typed('Float32Array', '[0.5, -0, NaN]', '[0.5, 0, NaN]'),
  Float64Array: typed('Float64Array', '[0.1, -0, NaN]', '[0.1, 0, NaN]'),
  BigInt64Array: typed('BigInt64Array', '[-1n]', '[1n]'),
  BigUint64Array: typed('BigUint64Array', '[2n ** 63n]', '[2n ** 62n]'),
  'another typed array': deep('new Uint16Array([1])', 'new Int16Array([1])'),
  'a part of a buffer': [
    `new Uint8Array([1, 2, 3, 4]).subarray(1, 3)`,
    `new Uint8Array([1, 2, 3, 4]).subarray(1)`,
    'assert.deepStrictEqual(v(), new Uint8Array([2, 3]))',
  ],
  ArrayBuffer: deep('new Uint8Array([1, 2]).buffer', 'new Uint8Array([1, 3]).buffer'),
  SharedArrayBuffer: [
    `(() => { const s = new SharedArrayBuffer(2); new Uint8Array(s)[1] = 7; return s })()`,
    'new ArrayBuffer(2)',
    'assert.ok(v() instanceof SharedArrayBuffer); assert.equal(new Uint8Array(v())[1], 7)',
  ],
  DataView: deep(
    'new DataView(new Uint8Array([1, 2]).buffer)',
    'new DataView(new Uint8Array([1, 3]).buffer)',
  ),
  'the numbers of a DataView': [
    `new DataView(new Uint8Array([9, 1, 2]).buffer, 1)`,
    'new DataView(new Uint8Array([9, 1, 2]).buffer)',
    'assert.equal(v().getUint16(0), 258); assert.ok(v() instanceof DataView)',
  ],
  Buffer: deep(`Buffer.from('hé')`, `new Uint8Array(Buffer.from('hé'))`),
  'the text of a Buffer': [
    `Buffer.from('hé')`,
    `Buffer.from('he')`,
    `assert.ok(Buffer.isBuffer(v())); assert.equal(v().toString(), 'hé')`,
  ],
  'encoded text': [
    `new TextEncoder().encode('é')`,
    `new TextEncoder().encode('e')`,
    `assert.deepStrictEqual(v(), new Uint8Array([195, 169]))`,
  ],
}

const library: Record<string, ValueRow> = {
  Date: deep('new Date(5)', 'new Date(6)'),
  'an invalid date': [
    `new Date(NaN)`,
    'new Date(0)',
    'assert.ok(v() instanceof Date && Number.isNaN(v().getTime()))',
  ],
  RegExp: deep('/a(?<n>b)/giu', '/a(?<n>b)/gi'),
  'a RegExp in the middle': [
    `(() => { const r = /a/g; r.exec('aa'); return r })()`,
    '/a/g',
    `const r = v(); assert.equal(r.lastIndex, 1); assert.equal(r.exec('aa').index, 1)`,
  ],
  URL: deep(`new URL('http://a.example/p?q=1#h')`, `new URL('http://a.example/p?q=2#h')`),
  'the parts of a URL': [
    `new URL('http://a.example:81/p')`,
    `new URL('http://a.example/p')`,
    `assert.ok(v() instanceof URL); assert.equal(v().port, '81'); assert.equal(v().href, 'http://a.example:81/p')`,
  ],
  URLSearchParams: [
    `new URLSearchParams('a=1&b=2&a=%C3%A9')`,
    `new URLSearchParams('a=1&b=2&a=e')`,
    `const p = v(); assert.ok(p instanceof URLSearchParams); assert.deepEqual(p.getAll('a'), ['1', 'é']); assert.equal(String(p), 'a=1&b=2&a=%C3%A9'); assert.deepEqual([...p][1], ['b', '2'])`,
  ],
  'the parameters of a URL': [
    `new URL('http://a?x=1').searchParams`,
    `new URL('http://a?x=2').searchParams`,
    `assert.ok(v() instanceof URLSearchParams); assert.equal(v().get('x'), '1')`,
  ],
  Headers: [
    `new Headers([['A', '1'], ['b', '2'], ['a', '3']])`,
    `new Headers([['A', '1'], ['b', '2']])`,
    `assert.ok(v() instanceof Headers); assert.equal(v().get('a'), '1, 3'); assert.deepEqual([...v()], [['a', '1, 3'], ['b', '2']])`,
  ],
  'a function': [
    '(a, b) => a + b',
    '(a, b) => a - b',
    'assert.equal(v()(1, 2), 3); assert.equal(v().length, 2)',
  ],
  'a promise': [
    `Promise.resolve(new Map([[1, 2]]))`,
    `Promise.resolve(new Map([[1, 3]]))`,
    'assert.ok(v() instanceof Promise); assert.deepStrictEqual(await v(), new Map([[1, 2]]))',
  ],
  'a class': [
    `class A { m() { return 1 } }`,
    `class A { m() { return 2 } }`,
    'const A = v(); assert.equal(new A().m(), 1)',
  ],
  'a builtin class': ['Map', 'Set', 'assert.ok(v() === Map)'],
}

const endless = '(function* () { for (let n = 0; ; n++) yield n })()'
const iterators: Record<string, ValueRow> = {
  'a generator': drained(
    '(function* () { yield 1; yield [2] })()',
    '(function* () { yield 1; yield [3] })()',
    '[1, [2]]',
  ),
  'the value of a generator': [
    `(function* () { yield 1; return 5 })()`,
    `(function* () { yield 1; return 6 })()`,
    'const g = v(); g.next(); assert.deepStrictEqual(g.next(), { value: 5, done: true })',
  ],
  'a step of a generator': [
    '(function* () { yield })()',
    '(function* () { yield 0 })()',
    'assert.deepStrictEqual(v().next(), { value: undefined, done: false })',
  ],
  'a generator is no array': [
    '[1, 2]',
    '(function* () { yield 1; yield 2 })()',
    'assert.deepEqual(v(), [1, 2])',
  ],
  'the name of a generator': [
    endless,
    '[].values()',
    `assert.equal(Object.prototype.toString.call(v()), '[object Generator]')`,
  ],
  'a generator is its own iterator': [
    endless,
    '[0]',
    `const g = v(); assert.ok(g[Symbol.iterator]() === g); g.next(); assert.equal([...[g.next().value]][0], 1)`,
  ],
  'an endless generator': [
    endless,
    '(function* () { yield 0; yield 2 })()',
    `const seen = []; for (const n of v()) { seen.push(n); if (n === 3) break } assert.deepEqual(seen, [0, 1, 2, 3])`,
  ],
  'the start of an endless one': [
    endless,
    '(function* () { yield 1; yield 2 })()',
    'const [a, b] = v(); assert.deepEqual([a, b], [0, 1])',
  ],
  'a one-way stream': [
    `[1, 2].values()`,
    '[1, 2]',
    'const i = v(); assert.deepEqual([...i], [1, 2]); assert.deepEqual([...i], [])',
  ],
  'what a break does': [
    `(() => { const log = []; const g = (function* () { try { yield 1; yield 2 } finally { log.push('end') } })(); return { log, g } })()`,
    `(() => { const log = []; const g = (function* () { yield 1; yield 2; log.push('end') })(); return { log, g } })()`,
    `const { log, g } = v(); for (const n of g) break; assert.deepEqual(log, ['end']); assert.deepEqual(g.next(), { value: undefined, done: true })`,
  ],
  'return before the start': [
    endless,
    '[1].values()',
    'const g = v(); assert.deepStrictEqual(g.return(7), { value: 7, done: true }); assert.deepEqual([...g], [])',
  ],
  'throw into a generator': [
    `(function* () { try { yield 1 } catch (e) { yield e } })()`,
    `(function* () { yield 1; yield 2 })()`,
    'const g = v(), mine = new Error("x"); g.next(); assert.ok(g.throw(mine).value === mine)',
  ],
  'words into a generator': [
    `(function* () { const a = yield; yield a * 2 })()`,
    `(function* () { const a = yield; yield a * 3 })()`,
    'const g = v(); g.next(); assert.equal(g.next(4).value, 8)',
  ],
  'an error in a generator': [
    `(function* () { yield 1; throw new RangeError('no') })()`,
    `(function* () { yield 1; yield 2 })()`,
    'assert.throws(() => [...v()], RangeError)',
  ],
  'the values of a map': drained(
    `new Map([['a', 1], ['b', 2]]).values()`,
    `new Map([['a', 1], ['b', 3]]).values()`,
    '[1, 2]',
  ),
  'the entries of a map': drained(
    `new Map([['a', 1]]).entries()`,
    `new Map([['a', 2]]).entries()`,
    `[['a', 1]]`,
  ),
  'the items of a set': drained('new Set([1, 2]).values()', 'new Set([2, 1]).values()', '[1, 2]'),
  'the entries of an array': drained(`['a'].entries()`, `['b'].entries()`, `[[0, 'a']]`),
  'the characters of a text': drained(`'a😀'[Symbol.iterator]()`, `'a'[Symbol.iterator]()`, `['a', '😀']`),
  'all matches': [
    `'a1b2'.matchAll(/[a-z](\\d)/g)`,
    `'a1b3'.matchAll(/[a-z](\\d)/g)`,
    `assert.deepEqual(Array.from(v(), (m) => m[1]), ['1', '2'])`,
  ],
  'the kind of an iterator': [
    `[1].values()`,
    `new Set([1]).values()`,
    `assert.equal(Object.prototype.toString.call(v()), '[object Array Iterator]'); assert.equal(v().return, undefined)`,
  ],
  'the entries of parameters': drained(
    `new URLSearchParams('a=1').entries()`,
    `new URLSearchParams('a=2').entries()`,
    `[['a', '1']]`,
  ),
  'an iterator of its own': drained(
    `({ n: 0, next() { return { value: this.n, done: this.n++ > 1 } }, [Symbol.iterator]() { return this } })`,
    `({ n: 1, next() { return { value: this.n, done: this.n++ > 1 } }, [Symbol.iterator]() { return this } })`,
    '[0, 1]',
  ),
  'an object that can be iterated': drained(
    '({ *[Symbol.iterator]() { yield 1 } })',
    '({ *[Symbol.iterator]() { yield 2 } })',
    '[1]',
  ),
  'a delegating generator': drained(
    '(function* () { yield* [1, 2]; yield* new Set([3]) })()',
    '(function* () { yield* [1, 2] })()',
    '[1, 2, 3]',
  ),
  'many steps': [
    `(function* () { for (let n = 0; n < 3000; n++) yield n })()`,
    `(function* () { for (let n = 0; n < 2999; n++) yield n })()`,
    'let sum = 0; for (const n of v()) sum += n; assert.equal(sum, 4498500)',
  ],
  'a map made of a generator': [
    `(function* () { yield ['a', 1] })()`,
    `(function* () { yield ['a', 2] })()`,
    `assert.deepStrictEqual(new Map(v()), new Map([['a', 1]])); assert.deepEqual(Object.fromEntries(v()), { a: 1 })`,
  ],
  'an asynchronous generator': [
    `(async function* () { yield 1; yield Promise.resolve(2) })()`,
    `(async function* () { yield 1 })()`,
    'const seen = []; for await (const n of v()) seen.push(n); assert.deepEqual(seen, [1, 2])',
  ],
  'an endless asynchronous one': [
    `(async function* () { for (let n = 0; ; n++) yield n })()`,
    `(async function* () { yield 1 })()`,
    'const seen = []; for await (const n of v()) { seen.push(n); if (n === 2) break } assert.deepEqual(seen, [0, 1, 2])',
  ],
  'the name of an asynchronous one': [
    `(async function* () {})()`,
    `(function* () {})()`,
    `assert.equal(Object.prototype.toString.call(v()), '[object AsyncGenerator]'); assert.ok(v()[Symbol.asyncIterator])`,
  ],
  'an asynchronous error': [
    `(async function* () { yield 1; throw new RangeError('no') })()`,
    `(async function* () { yield 1 })()`,
    'await assert.rejects(async () => { for await (const _ of v()); }, RangeError)',
  ],
  'an asynchronous return': [
    `(async function* () { yield 1 })()`,
    `(async function* () { yield 2 })()`,
    'const g = v(); assert.equal((await g.next()).value, 1); assert.deepStrictEqual(await g.return(3), { value: 3, done: true })',
  ],
}

const errors: Record<string, ValueRow> = {
  ...Object.fromEntries(
    ['Error', 'TypeError', 'RangeError', 'SyntaxError', 'ReferenceError', 'EvalError', 'URIError'].map(
      (name) => [
        `a thrown ${name}`,
        thrown(
          `new ${name}('no')`,
          `new (class Other extends Error {})('no')`,
          `(e) => e.constructor === ${name} && e.message === 'no'`,
        ),
      ],
    ),
  ),
  'an error as a value': deep(`new TypeError('no')`, `new TypeError('yes')`),
  'an aggregate error': [
    `new AggregateError([new TypeError('a'), 2], 'all')`,
    `new AggregateError([new Error('a'), 2], 'all')`,
    `const e = v(); assert.ok(e instanceof AggregateError); assert.ok(e.errors[0] instanceof TypeError); assert.equal(e.errors[1], 2)`,
  ],
  'the cause of an error': [
    `new Error('a', { cause: new RangeError('b') })`,
    `new Error('a', { cause: new Error('b') })`,
    `assert.ok(v().cause instanceof RangeError); assert.equal(v().cause.message, 'b')`,
  ],
  'an error with a code': thrown(
    `Object.assign(new Error('no'), { code: 'E_NO', at: 3 })`,
    `Object.assign(new Error('no'), { code: 'E_NO', at: 4 })`,
    `{ code: 'E_NO', at: 3 }`,
  ),
  'an error of an own class': thrown(
    `new (class Odd extends RangeError { name = 'Odd' })('no')`,
    `new (class Odd extends Error { name = 'Odd' })('no')`,
    `(e) => e instanceof RangeError && e.name === 'Odd'`,
  ),
  'an error of Node': [
    `process.getBuiltinModule('node:fs').readFileSync('/none')`,
    `process.getBuiltinModule('node:fs').readFileSync('/')`,
    `assert.throws(v, { code: 'ENOENT' })`,
  ],
  'an aborted signal': [
    `AbortSignal.abort().throwIfAborted()`,
    `AbortSignal.abort(new Error('x')).throwIfAborted()`,
    `assert.throws(v, { name: 'AbortError' })`,
  ],
  'a thrown text': thrown(`'no'`, `'yes'`, `(e) => e === 'no'`),
}

/** By name, each kind of value that tests in their own process treat as in one process. */
export const valueRows: Record<string, ValueRow> = {
  ...primitives,
  ...objects,
  ...collections,
  ...bytes,
  ...library,
  ...iterators,
  ...errors,
}
