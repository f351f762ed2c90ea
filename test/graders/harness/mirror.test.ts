import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

interface Mirror {
  pack(values: readonly unknown[]): [unknown, unknown]
  unpack(message: unknown): unknown[]
}
// The harness programs are plain JavaScript without types.
const load = (name: string) =>
  import(new URL(`../../../src/graders/harness/node/${name}`, import.meta.url).href)
const { createMirror } = await load('mirror.mjs')
const { NotUnderstood } = await load('values.mjs')

const unused = () => {
  throw new Error('nothing is called here')
}
const mirrorOf = (parity: number): Mirror =>
  createMirror({ side: parity === 1 ? 'tests' : 'solution', invoke: unused, settled: unused })
const overTheWire = (message: unknown) => JSON.parse(JSON.stringify(message))

/** Arbitrary plain data without cycles. */
const data = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withTypedArray: true,
  withSparseArray: true,
  withNullPrototype: true,
  withUnicodeString: true,
})

it('a mirror creates an equal value for any value', () => {
  fc.assert(
    fc.property(fc.array(data), (values) => {
      const [here, there] = [mirrorOf(0), mirrorOf(1)]
      const made = there.unpack(overTheWire(here.pack(values)))
      expect(isDeepStrictEqual(made, values)).toBe(true)
    }),
    { numRuns: 300, seed: 1 },
  )
})

it('a mirror returns the same object when a value comes back', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.object(), fc.array(fc.anything()))), (values) => {
      const [here, there] = [mirrorOf(0), mirrorOf(1)]
      const made = there.unpack(overTheWire(here.pack(values)))
      const back = here.unpack(overTheWire(there.pack(made)))
      expect(back.every((value: unknown, at: number) => value === values[at])).toBe(true)
    }),
    { numRuns: 300, seed: 1 },
  )
})

it('a mirror applies any change of a record', () => {
  const record = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string(), fc.array(fc.integer())))
  fc.assert(
    fc.property(record, record, (before, after) => {
      const [here, there] = [mirrorOf(0), mirrorOf(1)]
      const [made] = there.unpack(overTheWire(here.pack([before]))) as [object]
      for (const key of Object.keys(made)) Reflect.deleteProperty(made, key)
      for (const [key, value] of Object.entries(after))
        Object.defineProperty(made, key, { value, enumerable: true, configurable: true, writable: true })
      here.unpack(overTheWire(there.pack([])))
      expect(isDeepStrictEqual(made, before)).toBe(true)
    }),
    { numRuns: 300, seed: 1 },
  )
})

it('a mirror applies symbols, hidden properties, accessors and other names, whatever was there before', () => {
  const [here, there] = [mirrorOf(0), mirrorOf(1)]
  const given: Record<PropertyKey, unknown> = JSON.parse('{"a":1,"b":[2],"__proto__":{"c":3}}')
  const [made] = there.unpack(overTheWire(here.pack([given]))) as [object]
  expect(Reflect.ownKeys(made)).toEqual(['a', 'b', '__proto__'])
  const changes: (() => unknown)[] = [
    () => (given[Symbol.for('s')] = 4),
    () => Object.defineProperty(given, 'hidden', { value: 5, configurable: true }),
    () => Object.defineProperty(given, 'a', { get: () => 1, enumerable: true, configurable: true }),
    () => delete given.b,
    () => (given.b = [2]),
  ]
  for (const change of changes) {
    change()
    there.unpack(overTheWire(here.pack([])))
    expect(Reflect.ownKeys(made)).toEqual(Reflect.ownKeys(given))
  }
  const { a, hidden } = Object.getOwnPropertyDescriptors(made) as Record<string, PropertyDescriptor>
  expect(a?.get).toBeTypeOf('function')
  expect(hidden).toMatchObject({ value: 5, enumerable: false, writable: false })
  expect(Object.getPrototypeOf(made)).toBe(Object.prototype)
})

const codeAndMore = [
  Function,
  Function.prototype,
  Object.prototype,
  Array.prototype,
  Reflect.get(globalThis, 'eval'),
  globalThis,
  process,
  Reflect,
]

/** Checks that no value or property creates code or is a builtin of the process. */
function expectNoCode(value: unknown, seen = new Set<unknown>()) {
  expect(codeAndMore.includes(value as never)).toBe(false)
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return
  seen.add(value)
  // Members of a builtin did not arrive from outside.
  if (value === Error) return
  for (const { value: held } of Object.values(Object.getOwnPropertyDescriptors(value)))
    expectNoCode(held, seen)
  if (Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype)
    expect(Object.keys(value).filter((key) => key in Array.prototype)).toEqual([])
}

it('a mirror refuses invalid messages, and never lets them reach builtins', () => {
  const kinds = [
    'object',
    'array',
    'function',
    'error',
    'map',
    'set',
    'date',
    'regexp',
    'bytes',
    'promise',
    'iterator',
    'params',
    'headers',
    'arguments',
    'url',
  ]
  const anyReference = fc.oneof(
    fc.tuple(fc.constant('ref'), fc.integer({ min: -3, max: 9 })),
    fc.tuple(
      fc.constant('builtin'),
      fc.constantFrom('Object.prototype', 'Function', 'eval', 'globalThis', 'Reflect', 'Map', 'nothing'),
    ),
    fc.tuple(fc.constantFrom('symbol', 'symbolFor', 'ownSymbol', 'bigint', 'number', 'hole'), fc.anything()),
    fc.jsonValue(),
  )
  const reference = fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom(1, 'a', null, ['undefined'], ['ref', 1], ['ref', 3], ['ref', 5]),
    },
    {
      weight: 5,
      arbitrary: fc.constantFrom(
        ['builtin', 'Error'],
        ['builtin', 'Object.prototype'],
        ['builtin', 'Array.prototype'],
      ),
    },
    { weight: 1, arbitrary: anyReference },
  )
  const name = fc.constantFrom('__proto__', 'constructor', 'length', 'stack', 'then', 'every', 'a', '0')
  const key = fc.oneof({ weight: 9, arbitrary: name }, { weight: 1, arbitrary: reference })
  const field = fc.oneof(
    { weight: 15, arbitrary: fc.tuple(key, fc.integer(), reference) },
    { weight: 1, arbitrary: fc.tuple(key, fc.integer(), reference, reference) },
    { weight: 1, arbitrary: reference },
  )
  // As text, since only parsed JSON has an own `__proto__`.
  const record = fc
    .array(fc.tuple(name, reference), { maxLength: 3 })
    .map((all) => JSON.parse(`{${all.map(([key, held]) => `"${key}":${JSON.stringify(held)}`).join()}}`))
  const items = fc.array(reference, { maxLength: 4 })
  const content = fc.oneof({ weight: 9, arbitrary: items }, { weight: 9, arbitrary: record }, reference)
  const others = fc.oneof(
    fc.constant([]),
    fc.tuple(fc.array(field, { maxLength: 4 }), fc.boolean()),
    fc.tuple(fc.array(field, { maxLength: 4 }), fc.boolean(), reference),
  )
  const numberAndKind = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom(0, 2, 4), fc.constantFrom('object', 'array', ...kinds)),
    },
    { weight: 6, arbitrary: fc.constantFrom([1, 'object'], [3, 'array'], [5, 'function'], [7, 'object']) },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: -2, max: 9 }), fc.constantFrom(...kinds)) },
  )
  const share = fc.oneof(
    {
      weight: 20,
      arbitrary: fc
        .tuple(numberAndKind, content, others)
        .map(([first, held, rest]) => [...first, held, ...rest]),
    },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  const message = fc.tuple(fc.array(share, { maxLength: 4 }), fc.array(reference, { maxLength: 3 }))
  const builtin = () =>
    [Object.prototype, Array.prototype, Function.prototype].map((one) => Reflect.ownKeys(one).length)
  const before = builtin()
  let taken = 0
  fc.assert(
    fc.property(fc.oneof(message, fc.jsonValue()), (hostile) => {
      const mirror = mirrorOf(1)
      const frozen = Object.freeze({ a: 1 })
      const fn = () => 1
      const [list, record] = [[1], { a: 1 }]
      const [, encoded] = mirror.pack([frozen, list, fn, record])
      expect(encoded).toEqual([1, 3, 5, 7].map((number) => ['ref', number]))
      try {
        expectNoCode(mirror.unpack(overTheWire(hostile)))
        if (Array.isArray(hostile) && (hostile[0] as unknown[]).length > 0) taken++
      } catch (error) {
        expect(error).toBeInstanceOf(NotUnderstood)
      }
      expect(frozen).toEqual({ a: 1 })
      expect(Reflect.ownKeys(fn)).toEqual(['length', 'name'])
      expect(Object.getPrototypeOf(list)).toBe(Array.prototype)
      expect(Object.getPrototypeOf(record)).toBe(Object.prototype)
    }),
    { numRuns: 3000, seed: 1 },
  )
  expect(builtin()).toEqual(before)
  // Otherwise the checks below could not fail.
  expect(taken).toBeGreaterThan(200)
})
