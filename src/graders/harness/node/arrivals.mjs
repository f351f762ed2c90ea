// Which properties the tests' process accepts from the solution. An answer is data: properties that would override a builtin of the
// object's kind, or of the tests, are dropped.
import { isBuiltin } from './builtins.mjs'
import { iteratorTags } from './iterators.mjs'
import { isPrototype } from './kinds.mjs'

const { getOwnPropertyDescriptor, getOwnPropertyNames, getPrototypeOf } = Object

const wellKnown = new Set(
  getOwnPropertyNames(Symbol)
    .map((name) => Symbol[name])
    .filter((value) => typeof value === 'symbol'),
)
const conversions = new Set(['valueOf', 'toString', 'toLocaleString', Symbol.toPrimitive])
const ofErrors = ['name', 'message', 'code']
/**
 * Methods of every object, and the one by which an object equals all others for Jest's `expect`. An override of one could only deceive
 * the tests.
 */
const inspectionMethods = new Set(
  getOwnPropertyNames(Object.prototype)
    .filter((key) => key !== 'constructor' && key !== '__proto__' && !conversions.has(key))
    .concat('asymmetricMatch'),
)
/** Kinds without builtin members that a property could override. */
const kindsWithoutMembers = new Set(['object', 'function'])
/** The tags of builtins in `Object.prototype.toString`. */
const tags = new Set(
  `Map Set URL URLSearchParams Headers SharedArrayBuffer WeakMap WeakSet WeakRef Promise Date RegExp Error Array String Number Boolean BigInt Symbol Function Arguments
  ArrayBuffer DataView Math JSON Generator AsyncGenerator AsyncFunction GeneratorFunction`
    .split(/\s+/)
    .concat(iteratorTags),
)
/** Builtins whose instances have internal state: no other object can be one. */
const statefulPrototypes = new Set(
  [Array, Map, Set, WeakMap, WeakSet, WeakRef, Promise, Date, RegExp, String, Number, Boolean, BigInt, Symbol]
    .concat([
      ArrayBuffer,
      SharedArrayBuffer,
      DataView,
      Buffer,
      URL,
      URLSearchParams,
      getPrototypeOf(Uint8Array),
    ])
    .map(({ prototype }) => prototype),
)

/** Whether JavaScript calls a function of this name to convert an object to text or number. */
export const isConversion = (key) => conversions.has(key)

/** Whether a property is accepted only as a value: a getter could give another value each time. */
export const isDataOnly = (key) => key === 'constructor' || conversions.has(key) || inspectionMethods.has(key)

/** Whether objects of this kind and prototype have only builtin members. */
export const isPlain = (kind, prototype) =>
  !kindsWithoutMembers.has(kind) && (prototype === null || isBuiltin(prototype))

/** Whether an own property is dropped. `prototype` is that of a plain object, undefined for all others. */
export function isOverride(kind, key, prototype) {
  if (kind === 'function') return key === Symbol.hasInstance
  if (prototype === undefined) return false
  if (typeof key === 'symbol') return wellKnown.has(key)
  if (kind === 'error' && ofErrors.includes(key)) return false
  return (
    key === 'toJSON' || key === 'then' || key in Object.prototype || (prototype !== null && key in prototype)
  )
}

/** Whether a property's value is dropped: it would make an object look like another kind. */
export function isImpersonation(kind, key, fieldValue) {
  if (key === 'constructor') return isBuiltin(fieldValue)
  if (key === Symbol.toStringTag) return tags.has(fieldValue)
  if (typeof fieldValue === 'function' && inspectionMethods.has(key)) return true
  return kind === 'regexp' && key === 'lastIndex' && typeof fieldValue !== 'number'
}

/** Wraps the getter of a tag so that it never names a builtin. */
export const tagGetter = (get) =>
  function () {
    const tag = Reflect.apply(get, this, [])
    return tags.has(tag) ? undefined : tag
  }

/** Whether an object without internal state has the prototype of a builtin with state. Prototypes of classes do not count. */
export const isFakeBuiltin = (value, kind, prototype) =>
  kind === 'object' && statefulPrototypes.has(prototype) && !isPrototype(value)

/** Whether an object is an error or inherits from one. */
export function isError(value, kind) {
  if (kind !== 'object') return kind === 'error'
  const prototype = getPrototypeOf(value)
  return prototype !== Object.prototype && prototype instanceof Error && !isPrototype(value)
}

/** Returns name, message and code of an error as texts if they are not own plain values: an object there could match every test. */
export const textsOf = (error) =>
  ofErrors.filter((key) => lacksText(error, key)).map((key) => [key, read(error, key)])

/** An error that inherits from a builtin inherits its texts; any other source could change. */
function lacksText(error, key) {
  const own = getOwnPropertyDescriptor(error, key)
  if (own) return !('value' in own && isPrimitive(own.value))
  return key in error && !isBuiltin(getPrototypeOf(error))
}

function read(error, key) {
  try {
    const fieldValue = error[key]
    return isPrimitive(fieldValue) ? fieldValue : `${fieldValue}`
  } catch {
    return ''
  }
}

/** Gives an error its texts as own plain values, as an honest process does. */
export function completeTexts(error) {
  for (const key of ofErrors)
    if (lacksText(error, key))
      Object.defineProperty(error, key, { value: '', configurable: true, writable: true })
}

const isPrimitive = (value) => (typeof value !== 'object' && typeof value !== 'function') || value === null
