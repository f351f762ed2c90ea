/**
 * Wrong answers that would deceive tests in the same process, as source of `export const lies`: by name, a function that makes
 * one, and the name of the right answer in `lieForms`. A name with `*` belongs to a class of the solution.
 */
export const lyingValues = `
const hide = (on, key, value) => Object.defineProperty(on, key, { value, configurable: true, writable: true })
const hidden = (make, own) => () => { const on = make(); for (const key of Reflect.ownKeys(own)) hide(on, key, own[key]); return on }
const shown = (make, own) => () => Object.assign(make(), own)
const asked = (make, ...keys) => () => keys.reduce((on, key) => Object.defineProperty(on, key, { get: () => yes, configurable: true }), make())
const yes = () => true
const none = function* () {}
const list = () => [-1, -5]
const map = () => new Map([['x', -1]])
const set = () => new Set([-4])
const date = () => new Date(86_400_000)
const expression = () => /wrong/
const bytes = () => new Uint8Array([250])
const failed = () => new RangeError('failed')
const turns = (...values) => { let at = 0; return () => values[at++ % values.length] }
const everyMethod = (prototype, answer = yes) => Object.fromEntries(Object.getOwnPropertyNames(prototype)
  .filter((key) => typeof Object.getOwnPropertyDescriptor(prototype, key).value === 'function').map((key) => [key, answer]))
const soft = () => ({ includes: yes, match: yes, startsWith: yes, endsWith: yes, toString: () => '', length: 5, [Symbol.toPrimitive]: () => '' })
class Same extends Array { every() { return true } includes() { return true } indexOf() { return 0 } *[Symbol.iterator]() {} }
class Store extends Map { get size() { return 2 } has() { return true } *[Symbol.iterator]() {} }
class Tags extends Set { get size() { return 2 } has() { return true } *[Symbol.iterator]() {} }
class Day extends Date { getTime() { return this } valueOf() { return NaN } }
class Told extends Error { get message() { return soft() } get name() { return soft() } }
class Tagged { get [Symbol.toStringTag]() { return 'Set' } }
class Plain { get name() { return soft() } get message() { return soft() } get code() { return soft() } }
class Coded extends Error { get code() { return soft() } }
class Any extends Error { static [Symbol.hasInstance]() { return true } }
function Old(message) { this.message = message }
Old.prototype = Object.create(Error.prototype, { constructor: { value: Old } })
class Money { constructor(next) { this.next = next } valueOf() { return this.next() } }
class Text { toString() { return this.next() } next = turns('wrong', '') }
const walk = () => (function* () { yield -1; yield -5 })()
const steps = () => turns(...[1, 2, 3].map((value) => ({ value, done: false })), { value: undefined, done: true })
const url = () => new URL('http://wrong.example/')
const parameters = () => new URLSearchParams('x=-1')
const thrown = (make) => () => { throw make() }

/** The third says where an object is believed because it answers by methods of its own. */
export const lies = {
  'list: an own iterator': ['list', hidden(list, { [Symbol.iterator]: none })],
  'list: an own every': ['list', shown(list, { every: yes, some: yes, includes: yes })],
  'list: all methods': ['list', hidden(list, everyMethod(Array.prototype))],
  'list: all methods give itself': ['list', hidden(list, everyMethod(Array.prototype, function () { return this }))],
  'list: all methods as getters': ['list', asked(list, 'every', 'includes', 'find', 'at', 'map', 'join')],
  'list: a species': ['list', hidden(list, { constructor: { [Symbol.species]: class extends Array { every() { return true } } } })],
  'list: spread or not': ['list', hidden(list, { [Symbol.isConcatSpreadable]: false, [Symbol.unscopables]: {} })],
  'list: a JSON of nothing': ['list', hidden(list, { toJSON: () => undefined, toString: () => '', join: () => '' })],
  'list: other numbers each time': ['list', () => Object.defineProperty(list(), 0, { get: turns(7, 8), enumerable: true })],
  'list: a proxy': ['list', () => new Proxy(list(), { get: (on, key) => typeof on[key] === 'function' ? yes : on[key], has: yes })],
  'list: an iterator': ['list', () => list().values()],
  'list: no prototype': ['list', () => Object.setPrototypeOf(hidden(list, { every: yes, includes: yes, length: 2, [Symbol.iterator]: none })(), null)],
  'list: likeness': ['list', () => ({ length: 3, every: yes, [Symbol.iterator]: none, constructor: Array, [Symbol.toStringTag]: 'Array' }), 'methods'],
  'list: of Array.prototype': ['list', () => Object.create(Array.prototype, { length: { value: 3 }, every: { value: yes }, includes: { value: yes } }), 'methods'],
  'list*: a subclass': ['list', () => Same.from(list())],
  'map: an own iterator': ['map', hidden(() => new Map([['x', 5], ['y', 6]]), { [Symbol.iterator]: none })],
  'map: an own size': ['map', hidden(() => new Map(), { size: 2, [Symbol.iterator]: none })],
  'map: a size that is asked': ['map', () => Object.defineProperty(map(), 'size', { get: () => 2 })],
  'map: all methods': ['map', hidden(map, { ...everyMethod(Map.prototype), size: 2, [Symbol.iterator]: none })],
  'map: entries alone': ['map', shown(map, { entries: none, keys: none, values: none, forEach: () => {} })],
  'map: a set': ['map', hidden(set, { size: 2, get: yes, has: yes, [Symbol.toStringTag]: 'Map', constructor: Map })],
  'map: of Map.prototype': ['map', () => Object.create(Map.prototype, { size: { value: 2 }, has: { value: yes }, [Symbol.iterator]: { value: none } }), 'methods'],
  'map: of what is of Map.prototype': ['map', () => Object.create(Object.create(Map.prototype, { size: { value: 2 } })), 'methods'],
  'map*: a subclass': ['map', () => new Store([['x', -1]])],
  'set: an own iterator': ['set', hidden(() => new Set([-4, -5]), { [Symbol.iterator]: none })],
  'set: an own size and has': ['set', hidden(set, { size: 2, has: yes })],
  'set: all methods': ['set', hidden(set, { ...everyMethod(Set.prototype), size: 2, [Symbol.iterator]: none })],
  'set*: a subclass': ['set', () => new Tags([-4])],
  'date: an own time': ['date', hidden(date, { getTime: turns(0, 1), valueOf: turns(NaN), toISOString: () => '', toJSON: () => '' })],
  'date: all methods': ['date', hidden(date, everyMethod(Date.prototype))],
  'date: an own number': ['date', hidden(date, { [Symbol.toPrimitive]: turns(-1, 1e15) })],
  'date: a subclass': ['date', () => new Day(86_400_000)],
  'expression: an own test': ['expression', hidden(expression, { test: yes, exec: () => ['a1'] })],
  'expression: own symbols': ['expression', hidden(expression, { [Symbol.match]: yes, [Symbol.search]: () => 0, [Symbol.replace]: () => 'b', [Symbol.split]: () => [] })],
  'expression: an own source': ['expression', hidden(expression, { source: '[a-z]', flags: '', toString: () => '/[a-z]/' })],
  'bytes: an own length': ['bytes', hidden(bytes, { length: 2, byteLength: 0, every: yes, includes: yes, [Symbol.iterator]: none })],
  'bytes: all methods': ['bytes', hidden(bytes, everyMethod(Object.getPrototypeOf(Uint8Array.prototype)))],
  'number: one that changes': ['number', () => ({ valueOf: turns(10, -10) })],
  'number: a primitive that changes': ['number', () => ({ [Symbol.toPrimitive]: turns(10, -10) })],
  'number: hidden ones': ['number', hidden(() => ({}), { valueOf: turns(10, -10), toString: turns('10', '-10') })],
  'number: one that is asked': ['number', () => Object.defineProperty({}, 'valueOf', { get: () => turns(10, -10) })],
  'number: a boxed one': ['number', hidden(() => new Number(10), { valueOf: turns(10, -10), [Symbol.toPrimitive]: turns(10, -10) })],
  'number: a date': ['number', hidden(date, { valueOf: turns(10, -10) })],
  'number: a function': ['number', () => Object.assign(() => 1, { valueOf: turns(10, -10) })],
  'number: a list': ['number', hidden(() => [10], { valueOf: turns(10, -10), toString: turns('10', '-10') })],
  'number: of a class': ['number', () => new Money(turns(10, -10))],
  'text: soft': ['text', soft, 'methods'],
  'text: a boxed one': ['text', hidden(() => new String('wrong'), { includes: yes, startsWith: yes, valueOf: () => '', toString: () => '', match: yes })],
  'text: of a class': ['text', () => new Text()],
  'error: a soft message': ['error', thrown(() => hidden(failed, { message: soft() })())],
  'error: a soft name': ['error', thrown(() => hidden(failed, { name: soft(), message: soft() })())],
  'error: a message that is asked': ['error', thrown(() => Object.defineProperty(failed(), 'message', { get: soft }))],
  'error: a message of its class': ['error', thrown(() => new Told('failed'))],
  'error: an old class': ['error', thrown(() => new Old(soft()))],
  'error: an old class that asks': ['error', thrown(() => Object.defineProperty(new Old(''), 'message', { get: soft }))],
  'error: a function': ['error', thrown(() => hidden(failed, { message: Object.assign(() => '', { includes: yes, match: yes, startsWith: yes }), toString: () => '' })())],
  'error: an own class': ['error', thrown(() => hidden(failed, { constructor: TypeError, [Symbol.toStringTag]: 'TypeError', [Symbol.toPrimitive]: () => '' })())],
  'iterator: an own next': ['iterator', hidden(walk, { next: steps(), return: none })],
  'iterator: an own iterator': ['iterator', hidden(walk, { [Symbol.iterator]: () => [1, 2, 3].values() })],
  'iterator: an own next of a list': ['iterator', hidden(() => list().values(), { next: steps(), [Symbol.iterator]: () => [1, 2, 3].values() })],
  'iterator: an own list': ['iterator', hidden(walk, { toArray: () => [1, 2, 3], map: () => [2, 4, 6], take: () => [1, 2], reduce: () => 6 })],
  'iterator: a prototype': ['iterator', () => Object.setPrototypeOf(walk(), { next: steps(), [Symbol.iterator]() { return this } })],
  'iterator: all methods': ['iterator', hidden(() => new Map([[-1, -5]]).keys(), { ...everyMethod(Array.prototype), next: steps(), [Symbol.toStringTag]: 'Generator' })],
  'url: an own address': ['url', hidden(url, { href: 'http://right.example/a?b=1', host: 'right.example', pathname: '/a', search: '?b=1', searchParams: new URLSearchParams('b=1') })],
  'url: own texts': ['url', hidden(url, { toString: () => 'http://right.example/a?b=1', toJSON: () => 'http://right.example/a?b=1', [Symbol.toPrimitive]: () => 'http://right.example/a?b=1' })],
  'url: an address that is asked': ['url', () => Object.defineProperty(url(), 'href', { get: () => 'http://right.example/a?b=1' })],
  'parameters: own answers': ['parameters', hidden(parameters, { ...everyMethod(URLSearchParams.prototype), get: () => '1', getAll: () => ['1', '3'], size: 3, toString: () => 'a=1&b=2&a=3' })],
  'parameters: an own iterator': ['parameters', hidden(parameters, { [Symbol.iterator]: () => [['a', '1'], ['b', '2'], ['a', '3']].values(), entries: () => [['a', '1'], ['b', '2'], ['a', '3']], keys: () => ['a', 'b', 'a'] })],
  'view: own numbers': ['view', hidden(() => new DataView(new ArrayBuffer(1)), { getUint8: () => 1, getUint16: () => 258, byteLength: 2, buffer: new Uint8Array([1, 2]).buffer })],
  'view: a buffer of its own': ['view', hidden(() => new Uint16Array([7]), { getUint8: () => 1, getUint16: () => 258, byteLength: 2, buffer: new Uint8Array([1, 2]).buffer }), 'methods'],
  'headers: own answers': ['headers', hidden(() => new Headers({ a: '9' }), { get: () => '1', has: yes, entries: () => [['a', '1']], [Symbol.iterator]: () => [['a', '1']].values(), forEach: (f) => f('1', 'a') })],
  'object: another kind': ['object', () => ({ constructor: Set, [Symbol.toStringTag]: 'Set' })],
  'object: own questions': ['object', shown(() => ({}), { hasOwnProperty: yes, isPrototypeOf: yes, propertyIsEnumerable: yes })],
  'object: hidden questions': ['object', asked(() => ({}), 'hasOwnProperty', 'constructor', 'propertyIsEnumerable')],
  'object: a tag of its class': ['object', () => new Tagged()],
  'error: an object': ['error', thrown(() => ({ name: soft(), message: soft(), code: soft() }))],
  'error: an object that asks': ['error', thrown(() => ({ get name() { return soft() }, get message() { return soft() }, get code() { return soft() } }))],
  'error: of a class that is none of errors': ['error', thrown(() => new Plain())],
  'error: a list': ['error', thrown(() => hidden(list, { name: soft(), message: soft(), code: soft() })())],
  'error: a function with texts': ['error', thrown(() => hidden(() => () => '', { name: soft(), message: soft(), code: soft() })())],
  'error: a proxy': ['error', thrown(() => new Proxy(failed(), { get: soft }))],
  'error: a proxy of an object': ['error', thrown(() => new Proxy({}, { get: soft, has: yes }))],
  'error: a promise of itself': ['error', thrown(() => Object.assign(Promise.resolve(1), { name: soft(), message: soft(), code: soft() }))],
  'error: one that is the cause of itself': ['error', thrown(() => { const e = failed(); hide(e, 'message', soft()); e.cause = e; return e })],
  'error: a soft code': ['error', thrown(() => hidden(failed, { code: soft() })())],
  'error: a soft code of its class': ['error', thrown(() => new Coded('failed'))],
  'list: in another': ['list', () => hidden(list, { every: yes, map: () => hidden(list, { every: yes, includes: yes })() })()],
  'object: a proxy': ['object', () => new Proxy({}, { get: yes, has: yes, ownKeys: () => [], getPrototypeOf: () => Set.prototype })],
}
export const make = (name) => lies[name][1]()
export const kinds = Object.fromEntries(Object.entries(lies).map(([name, [kind]]) => [name, kind]))
export const methods = Object.entries(lies).filter(([name, [,, own]]) => own === 'methods' || name.includes('*')).map(([name]) => name)
export { Any }
`

/** Source of `forms`: by kind of answer, assertions that hold only for the right answer. `safe` assertions call no method of the
 * answer, or compare the result for all of its content. */
export const lieForms = `
const list = {
  deepStrictEqual: (v) => assert.deepStrictEqual(v(), [1, 2, 3]), deepEqual: (v) => loose.deepEqual(v(), [1, 2, 3]),
  length: (v) => assert.equal(v().length, 3), includes: (v) => assert.ok(v().includes(2)), every: (v) => assert.ok(v().every((n) => n > 0)),
  some: (v) => assert.ok(v().some((n) => n === 3)), find: (v) => assert.ok(v().find((n) => n === 2)), indexOf: (v) => assert.ok(v().indexOf(1) === 0),
  'for of': (v) => { let sum = 0; for (const n of v()) { assert.ok(n > 0); sum += n } assert.ok(sum > 0) },
  spread: (v) => assert.deepStrictEqual([...v()], [1, 2, 3]), from: (v) => assert.deepStrictEqual(Array.from(v()), [1, 2, 3]),
  JSON: (v) => assert.equal(JSON.stringify(v()), '[1,2,3]'), String: (v) => assert.equal(String(v()), '1,2,3'), join: (v) => assert.equal(v().join('-'), '1-2-3'),
  map: (v) => assert.deepEqual(v().map((n) => n * 2), [2, 4, 6]), sort: (v) => assert.deepEqual([...v().sort()], [1, 2, 3]),
  reduce: (v) => assert.ok(v().reduce((a, b) => a + b, 0) === 6), at: (v) => assert.ok(v().at(-1) === 3), index: (v) => assert.ok(v()[0] === 1 && v()[2] === 3),
  concat: (v) => assert.deepEqual([].concat(v()), [1, 2, 3]), filter: (v) => assert.equal(v().filter((n) => n > 0).length, 3),
  forEach: (v) => { let count = 0; v().forEach((n) => { count += n > 0 ? 1 : 0 }); assert.equal(count, 3) }, max: (v) => assert.equal(Math.max(...v()), 3),
  'only positive ones': (v) => { const bad = v().filter((n) => n < 0); assert.equal(bad.length, 0) },
  destructured: (v) => { const [a, b, c] = v(); assert.deepEqual([a, b, c], [1, 2, 3]) },
}
const map = {
  deepStrictEqual: (v) => assert.deepStrictEqual(v(), new Map([['a', 1], ['b', 2]])), deepEqual: (v) => loose.deepEqual(v(), new Map([['a', 1], ['b', 2]])),
  sizeAndKeys: (v) => { const m = v(); assert.equal(m.size, 2); for (const key of m.keys()) assert.ok('ab'.includes(key)) },
  has: (v) => assert.ok(v().has('a')), get: (v) => assert.equal(v().get('b'), 2), spread: (v) => assert.deepStrictEqual([...v()], [['a', 1], ['b', 2]]),
  'for of': (v) => { let sum = 0; const m = v(); assert.ok(m.size === 2); for (const [, n] of m) sum += n; assert.equal(sum, 3) },
  entries: (v) => assert.deepEqual(Object.fromEntries(v().entries()), { a: 1, b: 2 }), forEach: (v) => { let sum = 0; v().forEach((n) => { sum += n }); assert.equal(sum, 3) },
  values: (v) => assert.deepEqual([...v().values()], [1, 2]), copy: (v) => assert.deepEqual(new Map(v()), new Map([['a', 1], ['b', 2]])),
}
const set = {
  deepStrictEqual: (v) => assert.deepStrictEqual(v(), new Set([1, 2])), deepEqual: (v) => loose.deepEqual(v(), new Set([1, 2])),
  has: (v) => assert.ok(v().has(1) && v().has(2)), spread: (v) => assert.deepStrictEqual([...v()].sort(), [1, 2]), copy: (v) => assert.deepEqual(new Set(v()), new Set([1, 2])),
  'size and items': (v) => { const s = v(); assert.equal(s.size, 2); for (const one of s) assert.ok(one > 0) },
}
const date = {
  deepStrictEqual: (v) => assert.deepStrictEqual(v(), new Date(0)), deepEqual: (v) => loose.deepEqual(v(), new Date(0)), getTime: (v) => assert.equal(v().getTime(), 0),
  between: (v) => { const d = v(); assert.ok(d > new Date(-1) && d < new Date(1)) }, iso: (v) => assert.equal(v().toISOString(), '1970-01-01T00:00:00.000Z'),
  JSON: (v) => assert.equal(JSON.stringify(v()), '"1970-01-01T00:00:00.000Z"'), plus: (v) => assert.equal(+v(), 0), year: (v) => assert.equal(v().getUTCDate(), 1),
}
const expression = {
  test: (v) => assert.ok(v().test('a1')), match: (v) => assert.match('a1', v()), deepStrictEqual: (v) => assert.deepStrictEqual(v(), /[a-z]/), exec: (v) => assert.ok(v().exec('b')),
  'match of a text': (v) => assert.ok('a1'.match(v())), replace: (v) => assert.equal('a'.replace(v(), 'b'), 'b'), search: (v) => assert.equal('a'.search(v()), 0),
  split: (v) => assert.deepEqual('1a2'.split(v()), ['1', '2']), throws: (v) => assert.throws(() => { throw new Error('a1') }, v()),
}
const bytes = {
  deepStrictEqual: (v) => assert.deepStrictEqual(v(), new Uint8Array([1, 2])), deepEqual: (v) => loose.deepEqual(v(), new Uint8Array([1, 2])), length: (v) => assert.equal(v().length, 2),
  every: (v) => assert.ok(v().every((n) => n < 9)), spread: (v) => assert.deepEqual([...v()], [1, 2]), includes: (v) => assert.ok(v().includes(2)), hex: (v) => assert.equal(Buffer.from(v()).toString('hex'), '0102'),
}
const number = {
  between: (v) => { const n = v(); assert.ok(n > 2 && n < 4) }, 'between, apart': (v) => { const n = v(); assert.ok(n > 2); assert.ok(n < 4) }, 'loosely equal': (v) => assert.ok(v() == 3),
  equal: (v) => assert.equal(v(), 3), 'equal, loosely': (v) => loose.equal(v(), 3), near: (v) => assert.ok(Math.abs(v() - 3) < 0.1), 'at least and at most': (v) => { const n = v(); assert.ok(n >= 3); assert.ok(n <= 3) },
  'neither more nor less': (v) => { const n = v(); assert.ok(!(n > 3)); assert.ok(n > 2) }, deepEqual: (v) => loose.deepEqual(v(), 3), template: (v) => assert.equal(\`\${v()}\`, '3'), JSON: (v) => assert.equal(JSON.stringify(v()), '3'),
}
const text = {
  equal: (v) => assert.equal(v(), 'right'), 'equal, loosely': (v) => loose.equal(v(), 'right'), match: (v) => assert.match(v(), /right/), includes: (v) => assert.ok(v().includes('right')),
  starts: (v) => assert.ok(v().startsWith('ri')), template: (v) => assert.equal(\`\${v()}\`, 'right'), plus: (v) => assert.equal(v() + '', 'right'), 'match of a text': (v) => assert.ok(v().match(/right/)),
  JSON: (v) => assert.equal(JSON.stringify(v()), '"right"'), between: (v) => { const t = v(); assert.ok(t > 'rig'); assert.ok(t < 'rih') },
}
const caught = (v) => { try { v() } catch (error) { return error } }
const error = {
  'a class': (v) => assert.throws(v, TypeError), 'an expression': (v) => assert.throws(v, /not a number/), object: (v) => assert.throws(v, { name: 'TypeError', message: 'not a number' }),
  'expressions of texts': (v) => assert.throws(v, { message: /number/ }), code: (v) => assert.ok(caught(v).code.startsWith('ERR')), 'a function': (v) => assert.throws(v, (e) => e instanceof TypeError), includes: (v) => assert.ok(caught(v).message.includes('number')),
  'includes in a function': (v) => assert.throws(v, (e) => e.message.includes('number') && e.message.startsWith('not')), match: (v) => assert.ok(caught(v).message.match(/number/)),
  'match by assert': (v) => assert.match(caught(v).message, /number/), name: (v) => assert.equal(caught(v).name, 'TypeError'),
  'name that includes': (v) => assert.ok(caught(v).name.includes('Type')), constructor: (v) => assert.equal(caught(v).constructor, TypeError), text: (v) => assert.equal(String(caught(v)), 'TypeError: not a number'),
  rejects: async (v) => assert.rejects(async () => v(), /not a number/), 'rejects with a class': (v) => assert.rejects(async () => v(), TypeError),
}
const object = {
  constructor: (v) => assert.equal(v().constructor, Set), instance: (v) => assert.ok(v() instanceof Set), tag: (v) => assert.equal(Object.prototype.toString.call(v()), '[object Set]'),
  hasOwnProperty: (v) => assert.ok(v().hasOwnProperty === Object.prototype.hasOwnProperty && v() instanceof Set), own: (v) => assert.ok(v() instanceof Set || v().hasOwnProperty('a')),
  enumerable: (v) => assert.ok(v() instanceof Set || v().propertyIsEnumerable('a')),
}
const iterator = {
  spread: (v) => assert.deepStrictEqual([...v()], [1, 2, 3]), from: (v) => assert.deepStrictEqual(Array.from(v()), [1, 2, 3]), set: (v) => assert.deepEqual(new Set(v()), new Set([1, 2, 3])),
  'for of': (v) => { let sum = 0; for (const n of v()) sum += n; assert.equal(sum, 6) }, next: (v) => assert.deepStrictEqual(v().next(), { value: 1, done: false }), destructured: (v) => { const [a] = v(); assert.equal(a, 1) },
  'by hand': (v) => { const i = v(), seen = []; for (let s = i.next(); !s.done; s = i.next()) seen.push(s.value); assert.deepEqual(seen, [1, 2, 3]) },
  list: (v) => { const i = v(); assert.deepEqual(i.toArray ? i.toArray() : [...i], [1, 2, 3]) }, 'of itself': (v) => { const i = v(); assert.deepEqual([...i[Symbol.iterator]()], [1, 2, 3]) },
}
const url = {
  href: (v) => assert.equal(v().href, 'http://right.example/a?b=1'), text: (v) => assert.equal(String(v()), 'http://right.example/a?b=1'), host: (v) => assert.ok(v().host === 'right.example'), path: (v) => assert.equal(v().pathname, '/a'),
  JSON: (v) => assert.equal(JSON.stringify(v()), '"http://right.example/a?b=1"'), template: (v) => assert.equal(\`\${v()}\`, 'http://right.example/a?b=1'), parameters: (v) => assert.equal(v().searchParams.get('b'), '1'), plus: (v) => assert.equal(v() + '', 'http://right.example/a?b=1'),
}
const parameters = {
  get: (v) => assert.equal(v().get('a'), '1'), getAll: (v) => assert.deepEqual(v().getAll('a'), ['1', '3']), has: (v) => assert.ok(v().has('b')), text: (v) => assert.equal(\`\${v()}\`, 'a=1&b=2&a=3'), size: (v) => assert.ok(v().size === 3),
  spread: (v) => assert.deepEqual([...v()], [['a', '1'], ['b', '2'], ['a', '3']]), entries: (v) => assert.deepEqual(Object.fromEntries(v().entries()), { a: '3', b: '2' }), keys: (v) => assert.deepEqual([...v().keys()], ['a', 'b', 'a']),
}
const view = {
  number: (v) => assert.equal(v().getUint16(0), 258), first: (v) => assert.ok(v().getUint8(0) === 1), buffer: (v) => assert.deepEqual([...new Uint8Array(v().buffer)], [1, 2]), length: (v) => assert.ok(v() instanceof DataView && v().byteLength === 2),
}
const headers = {
  get: (v) => assert.equal(v().get('a'), '1'), spread: (v) => assert.deepEqual([...v()], [['a', '1']]), entries: (v) => assert.deepEqual(Object.fromEntries(v().entries()), { a: '1' }),
  forEach: (v) => { const seen = []; v().forEach((text) => seen.push(text)); assert.deepEqual(seen, ['1']) },
}
const safe = ['deepStrictEqual', 'spread', 'from', 'copy', 'JSON', 'String', 'entries', 'values', 'index', 'destructured', 'template', 'equal', 'match']
const forms = { list, map, set, date, expression, bytes, number, text, error, object, iterator, url, parameters, view, headers }
const right = {
  list: () => [1, 2, 3], map: () => new Map([['a', 1], ['b', 2]]), set: () => new Set([1, 2]), date: () => new Date(0), expression: () => /[a-z]/, bytes: () => new Uint8Array([1, 2]),
  number: () => 3, text: () => 'right', error: () => { throw Object.assign(new TypeError('not a number'), { code: 'ERR_NUMBER' }) }, object: () => new Set(),
  iterator: () => (function* () { yield 1; yield 2; yield 3 })(), url: () => new URL('http://right.example/a?b=1'), parameters: () => new URLSearchParams('a=1&b=2&a=3'),
  view: () => new DataView(new Uint8Array([1, 2]).buffer), headers: () => new Headers({ a: '1' }),
}
`
