// Objects that every process has, by name. The tests hand over any of them so, and the solution then has its own. What comes
// from the solution is never a builtin that makes code, or one whose changes reach all of the tests' process.
const words = (text) => text.split(/\s+/)

/** Kinds of values, which tests compare by identity. They come and go as themselves. */
const kinds = new Set(
  words(`Object Array Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Map Set
  WeakMap WeakSet WeakRef Promise Date RegExp String Number Boolean BigInt Symbol ArrayBuffer DataView Int8Array Uint8Array
  Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
  Buffer URL`),
)

/** What tests hand over in the place of a clock or a library. They come back as themselves only after that. */
const lent = new Set(
  words(`Math JSON Reflect setTimeout clearTimeout setInterval clearInterval setImmediate clearImmediate queueMicrotask
  structuredClone`),
)

const makersOfCode = {
  Function,
  AsyncFunction: (async () => {}).constructor,
  GeneratorFunction: function* () {}.constructor,
  AsyncGeneratorFunction: async function* () {}.constructor,
}

const byName = new Map()
const names = new Map()

function add(name, value) {
  byName.set(name, value)
  names.set(value, name)
  // Not `process.prototype`, should somebody have made one.
  if (typeof value === 'function' && value.prototype) add(`${name}.prototype`, value.prototype)
}

for (const name of [...kinds, ...lent]) add(name, globalThis[name])
for (const name of ['eval', 'Proxy', 'WebAssembly', 'globalThis', 'process']) add(name, globalThis[name])
for (const [name, value] of Object.entries(makersOfCode)) add(name, value)

/** Whether an object is one that every process has. */
export const isBuiltin = (value) => names.has(value)

/**
 * Builtins as one side writes and reads them. `isPrototype`: the name stands where a prototype is told, so that no code gets
 * hold of the builtin by it. `at` gives undefined for a name that the other side may not use.
 */
export function createBuiltins(side) {
  const handed = new Set()
  const mayArrive = (name, isPrototype) =>
    kinds.has(name) || handed.has(name) || (isPrototype && name.endsWith('.prototype'))
  const noteHanded = (name) => lent.has(name) && handed.add(name)

  return {
    nameOf(value, isPrototype) {
      const name = names.get(value)
      if (name === undefined) return undefined
      if (side === 'tests') noteHanded(name)
      return side === 'tests' || mayArrive(name, isPrototype) ? name : undefined
    },
    at(name, isPrototype) {
      if (side === 'solution') noteHanded(name)
      return side === 'solution' || mayArrive(name, isPrototype) ? byName.get(name) : undefined
    },
  }
}
