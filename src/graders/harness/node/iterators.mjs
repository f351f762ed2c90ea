// Built-in iterators are one-way streams. The other process gets an iterator of the same kind, and each of its steps is taken here.
const { getPrototypeOf } = Object
const inherits = Function.prototype.call.bind(Object.prototype.isPrototypeOf)
const { types } = process.getBuiltinModule('node:util')

const generators = getPrototypeOf(getPrototypeOf((function* () {})()))
const asyncGenerators = getPrototypeOf(getPrototypeOf((async function* () {})()))
const helpers = globalThis.Iterator?.from
  ? {
      helper: getPrototypeOf([].values().map(String)),
      wrapped: getPrototypeOf(globalThis.Iterator.from({ next() {} })),
    }
  : {}

/** By kind, the prototype that the iterators of a kind share. */
const prototypes = {
  __proto__: null,
  generator: generators,
  asyncGenerator: asyncGenerators,
  array: getPrototypeOf([].values()),
  map: getPrototypeOf(new Map().values()),
  set: getPrototypeOf(new Set().values()),
  text: getPrototypeOf(''[Symbol.iterator]()),
  matches: getPrototypeOf(''.matchAll(/a/g)),
  parameters: getPrototypeOf(new URLSearchParams().values()),
  ...helpers,
}
const kinds = new Map(Object.entries(prototypes).map(([kind, prototype]) => [prototype, kind]))
/** The original methods: an own `next` of an iterator does not count. */
const methodsOf = Object.fromEntries(
  Object.entries(prototypes).map(([kind, prototype]) => [
    kind,
    { __proto__: null, next: prototype.next, return: prototype.return, throw: prototype.throw },
  ]),
)

/** Returns the kind of a built-in iterator, undefined for all other objects. */
export function iteratorKind(value) {
  if (!types.isGeneratorObject(value)) return kinds.get(getPrototypeOf(value))
  return inherits(asyncGenerators, value) ? 'asyncGenerator' : 'generator'
}

/** The tags of built-in iterators in `Object.prototype.toString`. */
export const iteratorTags = Object.values(prototypes).map((prototype) => prototype[Symbol.toStringTag])

/**
 * Takes a step of an iterator of this process: `method` is `next`, `return` or `throw`. Returns whether it is done and its value,
 * or for an asynchronous one a promise of its result.
 */
export function takeStep(iterator, method, args) {
  const kind = iteratorKind(iterator)
  const result = Reflect.apply(methodsOf[kind][method], iterator, args)
  return kind === 'asyncGenerator' ? [result] : [result.done, result.value]
}

/** Creates an iterator that takes its steps by `step(iterator, method, args)`; undefined if there is no such kind. */
export function makeIterator(kind, step) {
  const base = prototypes[kind]
  if (base === undefined) return undefined
  const prototype = Object.create(base)
  const made = Object.create(prototype)
  for (const method of ['next', 'return', 'throw']) {
    if (!(method in base)) continue
    const value = function (...args) {
      if (this !== made) throw new TypeError(`${method} method called on incompatible receiver`)
      const [first, held] = step(made, method, args)
      return kind === 'asyncGenerator' ? first : { value: held, done: first === true }
    }
    Object.defineProperty(value, 'name', { value: method, configurable: true })
    Object.defineProperty(prototype, method, { value, configurable: true, writable: true })
  }
  return made
}
