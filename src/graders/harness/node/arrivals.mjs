// What of a property the tests' process takes from the solution. An answer is data: what would speak in the place of a
// builtin that it stands on, or of the tests' own builtins, is left behind.
import { isBuiltin } from './builtins.mjs'
import { isPrototype } from './kinds.mjs'

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object

const wellKnown = new Set(
  getOwnPropertyNames(Symbol)
    .map((name) => Symbol[name])
    .filter((value) => typeof value === 'symbol'),
)
const conversions = new Set(['valueOf', 'toString', 'toLocaleString', Symbol.toPrimitive])
const ofErrors = ['name', 'message', 'code']
/** What every object can be asked about itself. Whoever answers by another function has something to hide. */
const questions = new Set(
  getOwnPropertyNames(Object.prototype).filter(
    (key) => key !== 'constructor' && key !== '__proto__' && !conversions.has(key),
  ),
)
/** Kinds with nothing of their own that a property could cover. */
const open = new Set(['object', 'function'])
/** What `Object.prototype.toString` says of builtins. */
const tags = new Set(
  `Map Set WeakMap WeakSet WeakRef Promise Date RegExp Error Array String Number Boolean BigInt Symbol Function Arguments
  ArrayBuffer DataView Math JSON Generator AsyncGenerator AsyncFunction GeneratorFunction`.split(/\s+/),
)
/** Builtins whose instances hold what only the builtin's own methods find: nothing else can be one. */
const withContent = new Set(
  [Array, Map, Set, WeakMap, WeakSet, WeakRef, Promise, Date, RegExp, String, Number, Boolean, BigInt, Symbol]
    .concat([ArrayBuffer, DataView, Buffer, URL, getPrototypeOf(Uint8Array)])
    .map(({ prototype }) => prototype),
)

/** Whether a function of this name is what JavaScript asks for the text or the number of an object. */
export const isConversion = (key) => conversions.has(key)

/** Whether a property arrives as a value or not at all: to ask for it each time could give another one each time. */
export const isDataOnly = (key) => key === 'constructor' || conversions.has(key) || questions.has(key)

/** Whether objects of this kind and prototype have only what every process's have. */
export const isPlain = (kind, prototype) => !open.has(kind) && (prototype === null || isBuiltin(prototype))

/** Whether an own property is left behind: `prototype` is that of an object that is plain, undefined for all others. */
export function isCover(kind, key, prototype) {
  if (kind === 'function') return key === Symbol.hasInstance
  if (prototype === undefined) return false
  if (typeof key === 'symbol') return wellKnown.has(key)
  if (kind === 'error' && ofErrors.includes(key)) return false
  return (
    key === 'toJSON' || key === 'then' || key in Object.prototype || (prototype !== null && key in prototype)
  )
}

/** Whether a property's value is left behind: it would make an object pass for what it is not. */
export function isPretence(kind, key, held) {
  if (key === 'constructor') return isBuiltin(held)
  if (key === Symbol.toStringTag) return tags.has(held)
  if (typeof held === 'function' && questions.has(key)) return true
  return kind === 'regexp' && key === 'lastIndex' && typeof held !== 'number'
}

/** The getter of a tag, which names no builtin: what arrives is none that would need one. */
export const tagGetter = (get) =>
  function () {
    const tag = Reflect.apply(get, this, [])
    return tags.has(tag) ? undefined : tag
  }

/** Whether an object without content passes for a builtin with some. Prototypes of classes do not: nobody asks them. */
export const isHollow = (value, kind, prototype) =>
  kind === 'object' && withContent.has(prototype) && !isPrototype(value)

/** Whether an object is an error for its users, if only because it inherits from one. */
export function isError(value, kind) {
  if (kind !== 'object') return kind === 'error'
  const prototype = getPrototypeOf(value)
  return prototype !== Object.prototype && prototype instanceof Error && !isPrototype(value)
}

/** Name, message and code of an error where they are no plain values of its own: an object there could agree with every test. */
export const textsOf = (error) =>
  ofErrors.filter((key) => lacksText(error, key)).map((key) => [key, read(error, key)])

/** What inherits from a builtin alone inherits its texts; what else there is could be asked for, and could change. */
function lacksText(error, key) {
  const own = getOwnPropertyDescriptor(error, key)
  if (own) return !('value' in own && isPrimitive(own.value))
  return key in error && !isBuiltin(getPrototypeOf(error))
}

function read(error, key) {
  try {
    const held = error[key]
    return isPrimitive(held) ? held : `${held}`
  } catch {
    return ''
  }
}

/** Makes an error what that of an honest process is: its texts stand in itself, as plain values. */
export function completeTexts(error) {
  for (const key of ofErrors)
    if (lacksText(error, key))
      Object.defineProperty(error, key, { value: '', configurable: true, writable: true })
}

const isPrimitive = (value) => (typeof value !== 'object' && typeof value !== 'function') || value === null
