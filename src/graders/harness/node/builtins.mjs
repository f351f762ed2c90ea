// Builtins, which are sent by name. The tests may send any of them, and the solution then uses its own. The solution can never send
// a builtin that creates code, or one whose changes would affect all of the tests' process.
const words = (text) => text.split(/\s+/)

/** Kinds of values that tests compare by identity. Both sides may send them. */
const kinds = new Set(
  words(`Object Array Error TypeError RangeError SyntaxError ReferenceError EvalError URIError AggregateError Map Set
  WeakMap WeakSet WeakRef Promise Date RegExp String Number Boolean BigInt Symbol ArrayBuffer DataView Int8Array Uint8Array
  Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array
  Buffer URL URLSearchParams SharedArrayBuffer Float16Array`),
)

/** Builtins that tests pass as a clock or a library. The solution may send them only after that. */
const lendable = new Set(
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
  // Only functions have one: not `process.prototype`, if it exists.
  if (typeof value === 'function' && value.prototype) add(`${name}.prototype`, value.prototype)
}

// Node 20 has no Float16Array.
for (const name of [...kinds, ...lendable]) if (name in globalThis) add(name, globalThis[name])
for (const name of ['eval', 'Proxy', 'WebAssembly', 'globalThis', 'process']) add(name, globalThis[name])
for (const [name, value] of Object.entries(makersOfCode)) add(name, value)

/** Whether an object is a builtin. */
export const isBuiltin = (value) => names.has(value)

/**
 * Encodes and decodes builtins for one side. `isPrototype`: the name is used as a prototype, so no code gets a reference to the
 * builtin. `at` returns undefined for a name that the other side may not send.
 */
export function createBuiltins(side) {
  const lent = new Set()
  const mayArrive = (name, isPrototype) =>
    kinds.has(name) || lent.has(name) || (isPrototype && name.endsWith('.prototype'))
  const noteLent = (name) => lendable.has(name) && lent.add(name)

  return {
    nameOf(value, isPrototype) {
      const name = names.get(value)
      if (name === undefined) return undefined
      if (side === 'tests') noteLent(name)
      return side === 'tests' || mayArrive(name, isPrototype) ? name : undefined
    },
    at(name, isPrototype) {
      if (side === 'solution') noteLent(name)
      return side === 'solution' || mayArrive(name, isPrototype) ? byName.get(name) : undefined
    },
  }
}

// Stand-ins for functions of the other process: a call here is sent there.

const standIns = new WeakSet()

/** Whether a function calls one of the other process. */
export const isStandIn = (fn) => standIns.has(fn)

/**
 * `invoke(fn, self, args, target)` sends a call, or a construction if there is a target. `hasChanged()` says whether this side has
 * changed a shared object since the last message.
 */
export function createFunctions(invoke, hasChanged) {
  const conversions = new WeakSet()
  /** Results of conversions by function, since the last message that was not a conversion. */
  const given = new Map()
  let isConverting = false
  let messages = 0

  function make([name, length]) {
    const made = function (...args) {
      if (new.target) return invoke(made, undefined, args, new.target)
      return conversions.has(made) ? convert(made, this, args) : invoke(made, this, args)
    }
    standIns.add(made)
    Object.defineProperty(made, 'name', { value: `${name}`, configurable: true })
    return Object.defineProperty(made, 'length', { value: Number(length), configurable: true })
  }

  /** Two conversions in a row, such as for `>` and for `<`, give the same number. */
  function convert(fn, self, args) {
    const known = given.get(fn)?.find((one) => one.self === self && one.hint === args[0])
    if (known && !hasChanged()) return known.result
    const before = messages
    const result = askConverting(fn, self, args)
    // A conversion that called back depends on more than its object.
    if (messages === before + 1) given.set(fn, [...(given.get(fn) ?? []), { self, hint: args[0], result }])
    return result
  }

  function askConverting(fn, self, args) {
    const wasConverting = isConverting
    isConverting = true
    try {
      return invoke(fn, self, args)
    } finally {
      isConverting = wasConverting
    }
  }

  return {
    make,
    /** Marks a function as a conversion of objects to text or number. */
    noteConversion: (fn) => conversions.add(fn),
    /** Must be called for every outgoing message: a call or an answer may change objects. */
    noteMessage() {
      messages++
      if (!isConverting || hasChanged()) given.clear()
    },
  }
}
